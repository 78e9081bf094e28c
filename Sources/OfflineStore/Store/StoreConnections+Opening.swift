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
}
