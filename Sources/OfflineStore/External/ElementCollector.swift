import SQLiteAccess
import Soups

/// Removes files of external entries that no row points to: what a crash or a cut transaction left over. Runs when a store is opened for writing.
enum ElementCollector {
    static func collect(_ session: StoreSession) throws(Fault) {
        let connection = session.connection
        let root = ElementFiles.root(ofStore: connection.path)
        guard FileSystem.exists(root) else { return }
        // Holding the writer's lock: another process cannot be between writing its files and committing its rows.
        try session.transaction { () throws(Fault) in
            guard try LongOperation.all(connection).isEmpty else { return }
            let files = try session.elements()
            let external = try externalTables(connection)
            for name in FileSystem.names(in: files.root) where name.hasPrefix("TABLE_") {
                guard let table = Int64(name.dropFirst("TABLE_".count)), external.contains(table) else {
                    FileSystem.removeTree("\(files.root)/\(name)")
                    continue
                }
                try collect(table, files, connection)
            }
            guard files.root != root else { return }
            // Folders of former keys.
            let current = files.root.split(separator: "/").last.map(String.init)
            for name in FileSystem.names(in: root) where name != current { FileSystem.removeTree("\(root)/\(name)") }
        }
    }

    private static func externalTables(_ connection: Connection) throws(Fault) -> Set<Int64> {
        let statement = try connection.statement("SELECT id FROM soup_attrs WHERE externalStorage = 1")
        defer { statement.reset() }
        var tables: Set<Int64> = []
        while try statement.step() { tables.insert(statement.integer(at: 0)) }
        return tables
    }

    private static func collect(_ table: Int64, _ files: ElementFiles, _ connection: Connection) throws(Fault) {
        let (places, others) = files.contents(ofTable: table)
        for place in places {
            let rows = try connection.integer("SELECT count(*) FROM TABLE_\(table) WHERE id = ? AND lastModified = ?", .integer(place.id), .integer(place.version))
            if rows == 0 { files.remove(place) }
        }
        for name in others where name.hasSuffix(".tmp") { FileSystem.removeTree("\(files.folder(ofTable: table))/\(name)") }
    }
}
