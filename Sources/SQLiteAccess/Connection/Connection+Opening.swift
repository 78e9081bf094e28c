import CSQLite
import Soups

extension Connection {
    /// Opens a handle and sets it up.
    ///
    /// - Parameter hadLog: whether a process that ended without closing left a -wal, which is now written back as far
    ///   as the disk has room: on a full disk the -wal is the only space in which anything can be written, removals
    ///   too.
    static func open(
        _ path: String, library: SQLiteLibrary, access: Access, key: Key?, settings: ConnectionSettings,
        frozen: FrozenFiles?, hadLog: Bool
    ) throws(Fault) -> RawHandle {
        if let frozen {
            let handle = try frozen.open(library)
            try configure(handle, path: path, access: access, key: key, settings: settings, frozen: frozen)
            return handle
        }
        let flags = access == .readOnly ? SQ_OPEN_READONLY : SQ_OPEN_READWRITE
        let handle = try RawHandle(path: path, library: library, flags: flags)
        do throws(Fault) {
            try configure(handle, path: path, access: access, key: key, settings: settings, frozen: nil)
        } catch {
            handle.close()
            guard hadLog, error.code == .inputOutput || error.code == .diskFull else {
                throw error
            }
            try writeBack(path, library: library, key: key, settings: settings)
            let second = try RawHandle(path: path, library: library, flags: flags)
            try configure(second, path: path, access: access, key: key, settings: settings, frozen: nil)
            return second
        }
        if hadLog {
            _ = sq_wal_checkpoint_v2(handle.table, handle.database, nil, SQ_CHECKPOINT_PASSIVE, nil, nil)
        }
        return handle
    }

    /// Writes a left-over -wal back without a -shm, for which a full disk may have no room: with the file to itself
    /// SQLite keeps that in memory. The -wal is removed when it is empty, and its space is free.
    private static func writeBack(
        _ path: String, library: SQLiteLibrary, key: Key?, settings: ConnectionSettings
    )
        throws(Fault)
    {
        let handle = try RawHandle(path: path, library: library, flags: SQ_OPEN_READWRITE)
        defer { handle.close() }
        _ = sq_busy_timeout(handle.table, handle.database, Int32(clamping: settings.busyTimeout))
        if let key {
            try handle.apply(key: key, settings: settings)
        }
        let code = handle.execute(
            "PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_master; PRAGMA wal_checkpoint(TRUNCATE)")
        guard code.rawValue == SQ_OK else {
            throw .sqlite(code.rawValue, handle, doing: "opening \(path)", mayQuoteValues: true)
        }
    }
}
