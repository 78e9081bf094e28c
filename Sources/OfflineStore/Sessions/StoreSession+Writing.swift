import SQLiteAccess
import Soups

extension StoreSession {
    /// Throws `readOnly` if the store was opened for reading only.
    func requireWritable() throws(Fault) {
        guard options.access != .readOnly else {
            throw Fault(.readOnly, "the store was opened for reading only")
        }
    }
}
