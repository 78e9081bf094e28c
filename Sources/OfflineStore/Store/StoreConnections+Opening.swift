import SQLiteAccess
import Soups

extension StoreConnections {
    /// Finishes a restoration that was cut, or removes what it left, and removes what a migration left, before the file
    /// is opened. What a living process works with stays.
    func prepareFile() throws(Fault) {
        if options.access == .readOnly {
            try Restoration.requireFinished(path)
        } else {
            try Restoration.finish(path)
            MigrationLock.removeLeftOver(ofStore: path)
        }
    }

    /// Opens the store after its file was changed.
    ///
    /// A store that was suspended or closed in the meantime is opened later: the change is done, and the caller must not
    /// take it for undone.
    func openAfterChange(_ open: () throws(Fault) -> Void) throws(Fault) {
        do throws(Fault) {
            try open()
        } catch {
            guard error.code == .suspended || error.code == .closed else {
                throw error
            }
        }
    }
}
