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
    func resume(_ open: () throws(Fault) -> Void) throws(Fault) {
        guard suspension.isRequested else { return }
        suspension.lift()
        do throws(Fault) {
            // The options may allow to make a file, but this one was there.
            guard File.exists(path) else {
                throw Fault(.storeNotFound, "the file of the store was removed while it was suspended")
            }
            try open()
        } catch {
            // Another call may have closed the store in the meantime: then it is not suspended any more.
            if isOpenOrSuspended {
                try? suspend()
            }
            throw error
        }
        tellEverything()
    }
}
