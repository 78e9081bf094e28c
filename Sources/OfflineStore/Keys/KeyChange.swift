import Platform
import SQLiteAccess
import Soups

/// Changes the key of a store that no connection has open: copy, check, rename. Source:
/// https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export; m4heshd/better-sqlite3-multiple-ciphers#91 on
/// what went wrong in place.
///
/// Uses `sqlcipher_export` instead of rekeying in place, for three reasons: the same steps serve key to key, plain to
/// key and key to plain; no intermediate state is ever the store's file; and the row that names the files of external
/// entries changes together with the key that protects it.
struct KeyChange {
    let path: String
    let options: StoreOptions
    let newKey: Key?
    /// The call that asks for the change; nil if it cannot be cancelled.
    let cancellation: Cancellation?

    /// The files of external entries under the new key, in a folder of their own.
    private struct ElementsCopy {
        let root: String
        let directory: String
        let key: Key?
    }

    private var copy: String { KeyChange.copy(ofStore: path) }

    /// The path of the copy. What a crash leaves there is removed when the store is next opened for writing.
    static func copy(ofStore path: String) -> String { path + ".rekey" }

    static func removeCopy(ofStore path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            Folder.removeTree(copy(ofStore: path) + suffix)
        }
    }

    /// Removes the copy that an interrupted change of key has left. A change of key holds an exclusive lock while it
    /// runs, so that no change runs while the caller has the writer's lock.
    static func removeLeftOverCopy(_ session: StoreSession) throws(Fault) {
        let path = session.connection.path
        guard File.exists(copy(ofStore: path)) else { return }
        try session.transaction { () throws(Fault) in removeCopy(ofStore: path) }
    }

    /// Removes the journal that an interrupted change of key left when it took the store out of WAL mode.
    ///
    /// If it held anything, SQLite has rolled it back at the first reading of this connection. If it was cut before
    /// that, SQLite leaves it alone, and each opening would try the key on a copy. No connection writes a journal in
    /// WAL mode.
    static func removeJournal(_ connection: Connection) throws(Fault) {
        let journal = connection.path + "-journal"
        guard File.exists(journal), try connection.value("PRAGMA journal_mode") == .text("wal") else {
            return
        }
        Folder.removeTree(journal)
    }

    /// Puts the copy in the place of the store's file. If it throws, the file is the old one.
    func run() throws(Fault) {
        try options.settings.check(isKeyed: newKey != nil)
        Self.removeCopy(ofStore: path)
        let source = try Connection(
            path: path, library: options.library, access: .readWrite, key: options.key, settings: options.settings)
        defer { source.close() }
        try claim(source)
        guard try !LongOperation.isUnderway(source) else {
            throw Fault(.busy, "an alteration is unfinished: finish it before the key is changed")
        }
        let elements = try cancellable(source) { () throws(Fault) in try copyElements(source) }
        do throws(Fault) {
            try cancellable(source) { () throws(Fault) in
                try source.export(to: copy, key: newKey, settings: options.settings)
                try check(against: source, elements)
                try source.checkCall()
            }
            // Still holding the old file's lock, so it cannot have been written to since it was copied.
            try Fault.translating(File.rename(copy, to: path))
        } catch {
            Self.removeCopy(ofStore: path)
            if let elements {
                Folder.removeTree(elements.root)
            }
            throw error
        }
    }

    /// Runs work on a connection that ends when the call is cancelled. After the rename nothing can be cancelled.
    private func cancellable<R>(_ connection: Connection, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        guard let cancellation else {
            return try work()
        }
        return try connection.cancellable(by: cancellation, work)
    }

    /// Brings the name of the new file to the disk.
    func synchronize() throws(Fault) { try Fault.translating(Folder.synchronize(Path.folder(of: path))) }

    /// Takes the file for this connection alone: only a sole connection can leave WAL mode, and in exclusive mode it
    /// keeps its lock to the end.
    private func claim(_ source: Connection) throws(Fault) {
        try source.checkpoint()
        guard try source.value("PRAGMA journal_mode = DELETE") == .text("delete") else {
            throw Fault(.busy, "the key cannot be changed while another connection has the store open")
        }
        _ = try source.value("PRAGMA locking_mode = EXCLUSIVE")
        try source.execute("BEGIN EXCLUSIVE; COMMIT")
    }

    /// Rewrites the files of external entries in another folder, under another key. Nil without such files.
    private func copyElements(_ source: Connection) throws(Fault) -> ElementsCopy? {
        guard try ElementVault.exists(source) else { return nil }
        let old = try ElementVault.open(source)
        let directory = "g" + String(UInt64.random(in: .min ... .max), radix: 16)
        let key = newKey == nil ? nil : Key.random()
        let root = ElementFiles.root(ofStore: path) + "/" + directory
        let new = ElementFiles(root: root, key: key, library: options.library)
        do throws(Fault) {
            let tables = try ElementTables(source)
            for table in tables.numbers.sorted() {
                let rows = try source.statement("SELECT id, lastModified FROM \(SoupTableName(table))")
                defer { rows.reset() }
                while try rows.step() {
                    try source.checkCall()
                    let element = ElementVersion(table: table, id: rows.integer(at: 0), version: rows.integer(at: 1))
                    guard let text = try tables.text(at: element, in: old) else { continue }
                    try new.write(text, to: element)
                }
            }
            try new.synchronize()
        } catch {
            Folder.removeTree(root)
            throw error
        }
        return ElementsCopy(root: root, directory: directory, key: key)
    }

    /// Opens the copy as it will be opened later, reads every page, and makes it refer to its own files.
    private func check(against source: Connection, _ elements: ElementsCopy?) throws(Fault) {
        // The copy gets the store's own journal mode now. If it switched to a -wal under its final name, it would write
        // a -journal first; a process that has the old file open and waits for its lock would remove that file, as
        // the left-over of a crash.
        let target = try Connection(
            path: copy, library: options.library, access: .readWrite, key: newKey, settings: options.settings)
        defer { target.close() }
        try cancellable(target) { () throws(Fault) in
            guard try target.value("PRAGMA integrity_check") == .text("ok"), try digest(target) == digest(source) else {
                throw Fault(.corrupt, "the copy under the new key differs from the store; the old key stays valid")
            }
        }
        if let elements {
            try ElementVault.replace(target, directory: elements.directory, key: elements.key)
        }
        try target.checkpoint()
        target.close()
        guard !File.exists(copy + "-wal") else {
            throw Fault(.inputOutput, "the copy under the new key cannot be finished; the old key stays valid")
        }
    }

    /// The schema with the number of rows of each table: cheap to compute, and different if anything was left out.
    private func digest(_ connection: Connection) throws(Fault) -> [String] {
        var lines: [String] = []
        var tables: [String] = []
        let objects = try connection.prepare("SELECT name, type, ifnull(sql, '') FROM sqlite_master ORDER BY name")
        while try objects.step() {
            lines.append("\(objects.text(at: 0)) \(objects.text(at: 1)) \(objects.text(at: 2))")
            if objects.text(at: 1) == "table" {
                tables.append(objects.text(at: 0))
            }
        }
        for table in tables {
            let name = table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            lines.append("\(table) \(try connection.number("SELECT count(*) FROM \"\(name)\""))")
        }
        return lines
    }
}
