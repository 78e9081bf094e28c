import Foundation
import GRDB

/// An open database in which the work is done, with what it needs in memory. What a run found is kept until it is asked for.
final class Peer {
    let preparation: Preparation
    let pool: DatabasePool
    private(set) var documents: [Document] = []
    private(set) var texts: [String] = []
    var totals: [Int] = []
    var rows: [(id: Int64, document: String)] = []
    var items: [Item] = []

    init(_ preparation: Preparation) throws {
        self.preparation = preparation
        var configuration = Configuration()
        let (page, cache) = (preparation.page, preparation.cache / 1_024)
        configuration.prepareDatabase { database in
            if !database.configuration.readonly {
                try database.execute(sql: "PRAGMA page_size = \(page)")
            }
            try database.execute(sql: "PRAGMA cache_size = -\(cache)")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        pool = try DatabasePool(path: preparation.file, configuration: configuration)
        // GRDB chooses NORMAL for a pool; the store works with FULL.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        guard preparation.writes else { return }
        try load()
        try create()
    }

    /// Reads the documents as text and as values before any clock runs.
    private func load() throws {
        guard let path = preparation.documents else { throw PeerError(description: "no documents to insert") }
        let decoder = JSONDecoder()
        for line in try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")) {
            texts.append(String(decoding: line, as: UTF8.self))
            documents.append(try decoder.decode(Document.self, from: line))
        }
    }

    private func create() throws {
        try pool.write { database in
            try database.create(table: "items") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("key", .text)
                table.column("category", .text)
                table.column("name", .text)
                table.column("document", .text).notNull()
            }
            for column in ["key", "category", "name"] {
                try database.create(indexOn: "items", columns: [column])
            }
            if preparation.writesFullText {
                try database.create(virtualTable: "words", using: FTS5()) { $0.column("body") }
            }
        }
    }

    func settings() throws -> Settings {
        try pool.writeWithoutTransaction { database in
            Settings(
                journal: try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
                synchronous: try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
                page: try Int.fetchOne(database, sql: "PRAGMA page_size") ?? -1)
        }
    }

    func run() throws -> Int {
        var units = 0
        for _ in 0..<preparation.times {
            totals = []
            rows = []
            items = []
            units += try once()
        }
        return units
    }

    private func once() throws -> Int {
        switch preparation.work {
        case "insert", "insert-full-text": return try insert()
        case "by-id": return try readByID()
        case "by-id-one-read": return try readByIDInOneRead()
        case "exact": return try readExact()
        case "all-pages": return try readAllPages()
        case "match-rare", "match-common": return try match()
        default: throw PeerError(description: "this peer cannot do the work \(preparation.work)")
        }
    }

    /// Writes what was found: a line "N entries" for each count, a line "id document" for each entry.
    func writeAnswer(to path: String) throws {
        if preparation.writes {
            rows = try pool.read { database in
                try Row.fetchAll(database, sql: "SELECT id, document FROM items ORDER BY id").map { ($0[0], $0[1]) }
            }
        }
        let encoder = JSONEncoder()
        var lines = Data()
        for total in totals {
            lines.append(contentsOf: "\(total) entries\n".utf8)
        }
        for row in rows {
            lines.append(contentsOf: "\(row.id) \(row.document)\n".utf8)
        }
        for item in items {
            lines.append(contentsOf: "\(item.id ?? -1) ".utf8)
            lines.append(try encoder.encode(item.document))
            lines.append(UInt8(ascii: "\n"))
        }
        try lines.write(to: URL(filePath: path))
    }
}
