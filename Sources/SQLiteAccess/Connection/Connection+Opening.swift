import CSQLite
import Platform
import Soups

/// A file that may be opened, and how.
private struct Entrance {
    let identity: FileIdentity
    /// Set if the files are read as they are.
    let frozen: FrozenFiles?
    /// Whether a process that ended without closing left a -wal.
    let hadLog: Bool
}

extension Connection {
    /// Opens the file that has this name once it is open.
    ///
    /// While a connection waits for the lock of another process, that process may replace the file by one with another
    /// key. The connection then has a file without a name, so it is closed and the new file is opened, for as long as
    /// the busy timeout says. Closing must leave the -wal alone: SQLite finds it by the name, and it belongs to the new
    /// file.
    static func open(
        _ path: String, library: SQLiteLibrary, access: ConnectionAccess, key: Key?, settings: ConnectionSettings
    ) throws(Fault) -> (handle: RawHandle, identity: FileIdentity, frozen: FrozenFiles?) {
        let end = ContinuousClock.now + .milliseconds(settings.busyTimeout)
        while true {
            let entrance = try enter(path, library: library, access: access, key: key, settings: settings)
            do throws(Fault) {
                let handle = try open(
                    path, library: library, access: access, key: key, settings: settings, entrance: entrance)
                OpenFiles.shared.opened(entrance.identity)
                return (handle, entrance.identity, entrance.frozen)
            } catch {
                OpenFiles.shared.withdraw(entrance.identity, path: path)
                guard let status = FileStatus(of: path) else {
                    throw error
                }
                // A file that is replaced twice may have the number of the first one again: then only the check of the
                // open file has seen that.
                guard status.identity != entrance.identity || error.code == .storeNotFound else {
                    throw error
                }
                guard .now < end else {
                    throw Fault(.busy, "another process keeps replacing \(path): try again when it is done")
                }
            }
        }
    }

    /// Registers one more connection to the file, once all checks have passed.
    private static func enter(
        _ path: String, library: SQLiteLibrary, access: ConnectionAccess, key: Key?, settings: ConnectionSettings
    ) throws(Fault) -> Entrance {
        let readsOnly = access == .readOnly && !settings.readsInPlace
        var hadLog = false
        let (identity, frozen) = try OpenFiles.shared.enter(
            path, library: library, create: access == .create, readsOnly: readsOnly
        ) { (status: FileStatus) throws(Fault) in
            if access != .readOnly {
                KeyProbeFolder.removeLeftOver(beside: path)
            }
            let file = try DatabaseFile(path: path, status: status)
            try file.check(keyGiven: key != nil, cipher: settings.cipher)
            if readsOnly {
                let files = FrozenFiles(path: path, status: status)
                try files.requireQuiet()
                return files
            }
            hadLog = access != .readOnly && file.hasLeftOverLog
            // If the header says in plain text that there is a -wal, SQLite creates one before it reads the first page.
            if let key, !file.isNew, file.hasSideFiles || settings.cipher.leavesPlainHeader {
                try KeyProbe.check(path, key: key, library: library, settings: settings)
            }
            return nil
        }
        return Entrance(identity: identity, frozen: frozen, hadLog: hadLog)
    }

    /// Opens a handle, sets it up, and checks that it has the file that was checked before.
    ///
    /// A left-over -wal is written back as far as the disk has room: on a full disk it is the only space in which
    /// anything can be written, including removals.
    private static func open(
        _ path: String, library: SQLiteLibrary, access: ConnectionAccess, key: Key?, settings: ConnectionSettings,
        entrance: Entrance
    ) throws(Fault) -> RawHandle {
        if let frozen = entrance.frozen {
            let handle = try frozen.open(library)
            try configure(handle, path: path, access: access, key: key, settings: settings, frozen: frozen)
            try requireSameFile(handle, path: path, identity: entrance.identity)
            return handle
        }
        let handle: RawHandle
        do throws(Fault) {
            handle = try configured(path, library: library, access: access, key: key, settings: settings)
        } catch {
            guard entrance.hadLog, error.code == .inputOutput || error.code == .diskFull else {
                throw error
            }
            try writeBack(path, library: library, key: key, settings: settings)
            handle = try configured(path, library: library, access: access, key: key, settings: settings)
        }
        do throws(Fault) {
            try requireSameFile(handle, path: path, identity: entrance.identity)
        } catch {
            handle.close()
            throw error
        }
        _ = sq_db_config_switch(handle.table, handle.database, SQ_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        if entrance.hadLog {
            _ = sq_wal_checkpoint_v2(handle.table, handle.database, nil, SQ_CHECKPOINT_PASSIVE, nil, nil)
        }
        return handle
    }

    private static func configured(
        _ path: String, library: SQLiteLibrary, access: ConnectionAccess, key: Key?, settings: ConnectionSettings
    ) throws(Fault) -> RawHandle {
        let flags = access == .readOnly ? SQ_OPEN_READONLY : SQ_OPEN_READWRITE
        let handle = try RawHandle(path: path, library: library, flags: flags)
        do throws(Fault) {
            try configure(handle, path: path, access: access, key: key, settings: settings, frozen: nil)
        } catch {
            handle.close()
            throw error
        }
        return handle
    }

    /// Writes a left-over -wal back without a -shm, for which a full disk may have no room: with exclusive access
    /// SQLite keeps that index in memory. The -wal is removed when it is empty, and its space is free.
    private static func writeBack(
        _ path: String, library: SQLiteLibrary, key: Key?, settings: ConnectionSettings
    ) throws(Fault) {
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
