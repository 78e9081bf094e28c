import CSQLite
import Platform
public import Soups

extension Connection {
    /// Copies the whole database into a new file under another key, or without one. This connection's library must be
    /// SQLCipher.
    ///
    /// Tables, indexes, full-text tables, sequences and the user version are copied; the new file is complete and
    /// closed when this returns.
    ///
    /// - Throws: `encryptionUnavailable`, `invalidArguments` (settings that no file can have), `inputOutput` (the new
    ///   file exists already), `diskFull`. The caller removes what was written of the new file.
    public func export(to newPath: String, key: Key?, settings: ConnectionSettings = ConnectionSettings()) throws(Fault)
    {
        try export(to: newPath, key: key, settings: settings) {}
    }

    /// Copies one state of the database into a new file, as `export` does.
    ///
    /// - Parameter fix: Runs inside the transaction that reads, before it has read anything: its first reading fixes
    ///   the state that is copied, whatever is committed afterwards.
    package func export(
        to newPath: String, key: Key?, settings: ConnectionSettings, fixing fix: () throws(Fault) -> Void
    ) throws(Fault) {
        try requireOpen()
        try settings.check(isKeyed: key != nil)
        guard library.capabilities.encryption else {
            throw Fault(.encryptionUnavailable, "\(library.path) cannot encrypt: use a SQLCipher library")
        }
        do { try File.create(newPath) } catch {
            throw Fault(.inputOutput, "the file \(newPath) exists already, or cannot be created")
        }
        try attach(newPath, key: key)
        // The copy writes the schema of the new file directly, which the defensive mode forbids.
        _ = sq_db_config_switch(handle.table, handle.database, SQ_DBCONFIG_DEFENSIVE, 0)
        defer {
            _ = handle.execute("DETACH DATABASE target")
            _ = sq_db_config_switch(handle.table, handle.database, SQ_DBCONFIG_DEFENSIVE, 1)
        }
        // An attached file starts from SQLite's and SQLCipher's defaults, and is opened with these settings later.
        if key == nil {
            try execute("PRAGMA target.page_size = \(settings.pageSize)")
        } else {
            for pragma in settings.cipher.pragmas(pageSize: settings.pageSize, schema: "target") {
                try execute(pragma)
            }
        }
        try execute("PRAGMA target.synchronous = FULL")
        do throws(Fault) {
            try transaction(.deferred) { () throws(Fault) in
                try fix()
                _ = try value("SELECT sqlcipher_export('target')")
                try execute("PRAGMA target.user_version = \(try integer("PRAGMA user_version") ?? 0)")
            }
        } catch {
            throw causeOfFailedCopy(error)
        }
    }

    /// Returns the fault that SQLite's words name. `sqlcipher_export` is an SQL function, and so it reports a full disk
    /// or a failing one as a general error, with the words for the cause.
    private func causeOfFailedCopy(_ fault: Fault) -> Fault {
        guard fault.code == .sqlError else { return fault }
        for result in [SQ_FULL, SQ_IOERR, SQ_CORRUPT, SQ_NOMEM, SQ_BUSY] {
            guard let words = sq_errstr(handle.table, result), fault.message.hasSuffix(String(cString: words)) else {
                continue
            }
            return Fault.sqlite(result, handle, doing: "copying the database", mayQuoteValues: true)
        }
        return fault
    }

    /// Attaches a file as `target`. The key is bound instead of written into the text, because it must never be part of
    /// a statement, and it is bound without a copy, because SQLite frees its copies without overwriting them.
    private func attach(_ path: String, key: Key?) throws(Fault) {
        let attach = try prepare("ATTACH DATABASE ? AS target KEY ?")
        try attach.bind(text: path, at: 1)
        guard let key else {
            try attach.bind(text: "", at: 2)
            return try attach.run()
        }
        try key.withText { (text) throws(Fault) in
            defer { attach.clear() }
            try attach.bind(borrowedText: text, at: 2)
            try attach.run()
        }
    }
}
