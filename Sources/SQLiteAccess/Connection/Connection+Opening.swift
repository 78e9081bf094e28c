import CSQLite
import Soups

extension Connection {
    /// Opens a handle and sets it up.
    static func open(
        _ path: String, library: SQLiteLibrary, access: Access, key: Key?, settings: ConnectionSettings,
        frozen: FrozenFiles?
    ) throws(Fault) -> RawHandle {
        if let frozen {
            let handle = try frozen.open(library)
            try configure(handle, path: path, access: access, key: key, settings: settings, frozen: frozen)
            return handle
        }
        let flags = access == .readOnly ? SQ_OPEN_READONLY : SQ_OPEN_READWRITE
        let handle = try RawHandle(path: path, library: library, flags: flags)
        try configure(handle, path: path, access: access, key: key, settings: settings, frozen: nil)
        return handle
    }
}
