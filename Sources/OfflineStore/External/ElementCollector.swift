import Platform
import SQLiteAccess
import Soups

/// Removes files of external entries that no row refers to, which a crash or a cut transaction left. Runs when a store
/// is opened for writing.
enum ElementCollector {
    static func collect(_ session: StoreSession) throws(Fault) {
        let connection = session.connection
        let root = ElementFiles.root(ofStore: connection.path)
        let hasCopy = File.exists(KeyChange.copy(ofStore: connection.path))
        guard hasCopy || File.exists(root) else { return }
        // Runs with the writer's lock, so no other process can be between writing its files and committing its rows.
        try session.transaction { () throws(Fault) in
            // A change of key holds an exclusive lock, so this copy is left over from one that ended.
            if hasCopy {
                KeyChange.removeCopy(ofStore: connection.path)
            }
            guard try !LongOperation.isUnderway(connection) else { return }
            let files = try session.elements()
            let tables = try ElementTables(connection)
            for name in Folder.names(in: files.root) where SoupTableName.begins(name) {
                try collect(name, tables, files, connection)
            }
            // Folders of former keys, and of changes of key that were not completed.
            for name in Folder.names(in: root)
            where "\(root)/\(name)" != files.root && (files.root != root || !SoupTableName.begins(name)) {
                Folder.removeTree("\(root)/\(name)")
            }
        }
    }

    /// Removes the files that no row of one table refers to, unless an alteration is unfinished. The caller must hold
    /// the writer's lock.
    static func collect(table: Int64, _ session: StoreSession) throws(Fault) {
        let connection = session.connection
        guard File.exists(ElementFiles.root(ofStore: connection.path)) else { return }
        guard try !LongOperation.isUnderway(connection) else { return }
        let files = try session.elements()
        try collect(SoupTableName(table).description, ElementTables(connection), files, connection)
    }

    /// Removes from a folder what no row refers to; the whole folder if its table is gone or has its entries in it.
    private static func collect(
        _ name: String, _ tables: ElementTables, _ files: ElementFiles, _ connection: Connection
    ) throws(Fault) {
        guard let table = SoupTableName(name)?.id, tables.needsFolder(table) else {
            Folder.removeTree("\(files.root)/\(name)")
            return
        }
        if tables.numbers.contains(table) {
            try collect(table, files, connection)
        }
    }

    private static func collect(_ table: Int64, _ files: ElementFiles, _ connection: Connection) throws(Fault) {
        let (elements, others) = files.contents(ofTable: table)
        for element in elements {
            let rows = try connection.integer(
                "SELECT count(*) FROM \(SoupTableName(table)) WHERE id = ? AND lastModified = ?", .integer(element.id),
                .integer(element.version))
            if rows == 0 {
                files.remove(element)
            }
        }
        let folder = files.folder(ofTable: table)
        for name in others {
            // Unfinished files, and the journals of unfinished databases.
            if name.utf8.contains(UInt8(ascii: ".")) {
                Folder.removeTree("\(folder)/\(name)")
            }
            // A bare `soupelt_<id>` is Mobile SDK's current file as long as its entry exists and has no file of ours.
            guard let id = ElementVersion.id(ofLegacyFileName: name) else { continue }
            let version = try connection.integer(
                "SELECT lastModified FROM \(SoupTableName(table)) WHERE id = ?", .integer(id))
            if let version, !elements.contains(ElementVersion(table: table, id: id, version: version)) {
                continue
            }
            File.remove("\(folder)/\(name)")
        }
    }
}
