import Platform
import SQLiteAccess
import Soups

extension StoreConnections {
    /// Ends what runs, refuses further calls, and closes every connection once the calls under way have left.
    func suspend() throws(Fault) {
        guard !gate.isInside else {
            throw Fault(
                .busy, "a store cannot be suspended inside a transaction, a reading call or a backup of its own")
        }
        guard isOpenOrSuspended else { return }
        suspension.request()
        try withoutConnections(evenIfSuspended: true) { (_) throws(Fault) in }
    }

    /// Lets calls run again. `open` prepares the file; if it fails, the store stays suspended.
    ///
    /// Other calls, also those that resume the store too, wait until the file is prepared.
    func resume(_ open: () throws(Fault) -> Void) throws(Fault) {
        guard gate.locked({ suspension.isRequested || isResuming }) else { return }
        let wasSuspended = try withoutConnections(evenIfSuspended: true) { (_) throws(Fault) in
            guard suspension.isRequested else { return false }
            // The options may allow to make a file, but this one was there.
            guard File.exists(path) else {
                throw Fault(.storeNotFound, "the file of the store was removed while it was suspended")
            }
            gate.locked {
                isResuming = true
                suspension.lift()
            }
            defer { gate.locked { isResuming = false } }
            do throws(Fault) {
                try open()
            } catch {
                suspension.request()
                closeSessions()
                throw error
            }
            return true
        }
        if wasSuspended {
            tellEverything()
        }
    }
}
