import GRDB

extension Peer {
    func insert() throws -> Int {
        for start in stride(from: 0, to: texts.count, by: preparation.batch) {
            let batch = start..<min(start + preparation.batch, texts.count)
            try pool.write { database in
                for index in batch {
                    try preparation.isCodable ? insertRecord(index, database) : insertRow(index, database)
                }
            }
        }
        return texts.count
    }

    private func insertRecord(_ index: Int, _ database: Database) throws {
        var item = Item(documents[index])
        try item.insert(database)
        if preparation.writesFullText {
            try insertWords(item.id, item.document.body, database)
        }
    }

    /// Binds the text of the document as it came, and the three members that are indexed.
    private func insertRow(_ index: Int, _ database: Database) throws {
        let document = documents[index]
        try database.cachedStatement(sql: "INSERT INTO items(key, category, name, document) VALUES (?, ?, ?, ?)")
            .execute(arguments: [document.key, document.category, document.name, texts[index]])
        if preparation.writesFullText {
            try insertWords(database.lastInsertedRowID, document.body, database)
        }
    }

    private func insertWords(_ id: Int64?, _ body: String, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO words(rowid, body) VALUES (?, ?)").execute(arguments: [id, body])
    }
}
