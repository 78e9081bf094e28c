import CSQLite
import Platform
import Soups

extension Connection {
    /// Sets up a new handle: safety switches, the key and its check, then the settings of the file.
    static func configure(
        _ handle: RawHandle, path: String, access: ConnectionAccess, key: Key?, settings: ConnectionSettings,
        frozen: FrozenFiles?
    ) throws(Fault) {
        let table = handle.table
        let database = handle.database
        // Source of the switches: https://sqlite.org/security.html.
        _ = sq_db_config_switch(table, database, SQ_DBCONFIG_DEFENSIVE, 1)
        // TRUSTED_SCHEMA stays on: without it SQLite 3.40 refuses json_extract in an index, which is what a json1 index
        // spec uses.
        handle.busyTimeout = Int32(clamping: settings.busyTimeout)
        _ = sq_busy_timeout(table, database, handle.busyTimeout)
        // Until the key is known to be right and the file to still have this name (see `open`), closing must not move a
        // byte, nor remove a -wal.
        _ = sq_db_config_switch(table, database, SQ_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if let key {
            try handle.apply(key: key, settings: settings)
        }
        if access != .readOnly, key == nil {
            _ = handle.execute("PRAGMA page_size = \(settings.pageSize)")
        }
        // Before anything is read: only then SQLite keeps the index of the -wal in memory instead of a -shm.
        if access != .readOnly, settings.lockingMode == .exclusive {
            _ = handle.execute("PRAGMA locking_mode = EXCLUSIVE")
        }
        frozen?.prepare(handle)
        let first = handle.executePatiently("SELECT count(*) FROM sqlite_master")
        guard first.rawValue == SQ_OK else {
            throw unreadable(first, handle, path: path, key: key, settings: settings)
        }

        for pragma in pragmas(access, settings) {
            let code = handle.executePatiently(pragma)
            guard code.rawValue == SQ_OK else {
                throw .sqlite(code.rawValue, handle, doing: "opening \(path)", mayQuoteValues: true)
            }
        }
    }

    /// The settings of a connection whose key is known to be right, in the order in which they are made.
    private static func pragmas(_ access: ConnectionAccess, _ settings: ConnectionSettings) -> [String] {
        var pragmas = [
            // After the key: otherwise SQLCipher would write sorted rows to an unencrypted file.
            "PRAGMA temp_store = MEMORY", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0",
            "PRAGMA cache_size = \(-max(settings.cacheSize >> 10, 1))",
        ]
        if access != .readOnly {
            pragmas += [
                "PRAGMA journal_mode = \(settings.journalMode.rawValue.uppercased())",
                "PRAGMA synchronous = \(settings.durability.pragma)",
            ]
            // Elsewhere a sync reaches the drive by itself.
            if settings.durability == .full, HostSystem.isDarwin {
                pragmas += ["PRAGMA fullfsync = 1", "PRAGMA checkpoint_fullfsync = 1"]
            }
            if settings.checkpointPages != ConnectionSettings.defaultCheckpointPages {
                pragmas.append("PRAGMA wal_autocheckpoint = \(settings.checkpointPages)")
            }
            // Without a -wal the mode alone keeps a lock that others may share.
            if settings.lockingMode == .exclusive {
                pragmas.append("BEGIN EXCLUSIVE; COMMIT")
            }
            if let pages = settings.maximumPageCount {
                pragmas.append("PRAGMA max_page_count = \(pages)")
            }
        } else {
            pragmas.append("PRAGMA query_only = ON")
        }
        return pragmas
    }

    private static func unreadable(
        _ code: ResultCode, _ handle: RawHandle, path: String, key: Key?, settings: ConnectionSettings
    ) -> Fault {
        if key != nil, settings.cipher.leavesPlainHeader, FirstPage(handle: handle, path: path).refuses(code) {
            return .wrongKey(path)
        }
        guard code.primary == SQ_NOTADB else {
            return .sqlite(code.rawValue, handle, doing: "opening \(path)", mayQuoteValues: true)
        }
        if key != nil {
            return .wrongKey(path)
        }
        return settings.cipher.leavesPlainHeader
            ? Fault(.keyMissing, "\(path) is encrypted after a plain header: give the key it was written with")
            : Fault(
                .corrupt,
                "\(path) has the header of a database, but its first page is damaged, or encrypted after a plain header"
            )
    }
}
