import SQLiteAccess
import Soups

/// Removes files of external entries that no row points to: what a crash or a cut transaction left over. Runs when a
/// store is opened for writing.
enum ElementCollector {
    static func collect(_ session: StoreSession) throws(Fault) {
        let connection = session.connection
        let root = ElementFiles.root(ofStore: connection.path)
        let hasCopy = FileSystem.exists(KeyChange.copy(ofStore: connection.path))
        guard hasCopy || FileSystem.exists(root) else { return }
        // Holding the writer's lock: another process cannot be between writing its files and committing its rows.
        try session.transaction { () throws(Fault) in
            // Whoever changes a key holds an exclusive lock meanwhile: this copy belongs to nobody.
            if hasCopy {
                KeyChange.removeCopy(ofStore: connection.path)
            }
            guard try LongOperation.all(connection).isEmpty else { return }
            let files = try session.elements()
            let external = Set(try SoupReading.externalTables(connection))
            for name in FileSystem.names(in: files.root) where name.hasPrefix("TABLE_") {
                guard let table = Int64(name.dropFirst("TABLE_".count)), external.contains(table) else {
                    FileSystem.removeTree("\(files.root)/\(name)")
                    continue
                }
                try collect(table, files, connection)
            }
            // Folders of former keys, and of keys that never came to be.
            for name in FileSystem.names(in: root)
            where "\(root)/\(name)" != files.root && (files.root != root || !name.hasPrefix("TABLE_")) {
                FileSystem.removeTree("\(root)/\(name)")
            }
        }
    }

    private static func collect(_ table: Int64, _ files: ElementFiles, _ connection: Connection) throws(Fault) {
        let (places, others) = files.contents(ofTable: table)
        for place in places {
            let rows = try connection.integer(
                "SELECT count(*) FROM TABLE_\(table) WHERE id = ? AND lastModified = ?", .integer(place.id),
                .integer(place.version))
            if rows == 0 {
                files.remove(place)
            }
        }
        // Unfinished files, and the journals of unfinished databases. A bare `soupelt_<id>` may be Mobile SDK's own.
        for name in others where name.utf8.contains(UInt8(ascii: ".")) {
            FileSystem.removeTree("\(files.folder(ofTable: table))/\(name)")
        }
    }
}
