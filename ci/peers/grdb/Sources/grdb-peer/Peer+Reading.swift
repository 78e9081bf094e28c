import GRDB

extension Peer {
    func readByID() throws -> Int {
        let ids = preparation.ids ?? []
        for id in ids {
            if preparation.isCodable {
                if let item = try pool.read({ try Item.fetchOne($0, key: id) }) {
                    items.append(item)
                }
            } else {
                try keep("SELECT id, document FROM items WHERE id = ?", [id])
            }
        }
        return ids.count
    }

    func readByIDInOneRead() throws -> Int {
        let ids = preparation.ids ?? []
        try pool.read { database in
            for id in ids {
                if preparation.isCodable {
                    if let item = try Item.fetchOne(database, key: id) {
                        items.append(item)
                    }
                } else {
                    let statement = try database.cachedStatement(sql: "SELECT id, document FROM items WHERE id = ?")
                    if let row = try Row.fetchOne(statement, arguments: [id]) {
                        rows.append((row[0], row[1]))
                    }
                }
            }
        }
        return ids.count
    }

    func readExact() throws -> Int {
        let keys = preparation.keys ?? []
        for key in keys {
            if preparation.isCodable {
                items += try pool.read {
                    try Item.filter(Column("key") == key).order(Column("id")).limit(preparation.pageSize).fetchAll($0)
                }
            } else {
                try keep(
                    "SELECT id, document FROM items WHERE key = ? ORDER BY id LIMIT ?", [key, preparation.pageSize])
            }
        }
        return keys.count
    }

    func readAllPages() throws -> Int {
        var (last, units) = (Int64(0), 0)
        while true {
            let found: Int
            if preparation.isCodable {
                let page = try pool.read {
                    try Item.filter(Column("id") > last).order(Column("id")).limit(preparation.pageSize).fetchAll($0)
                }
                items += page
                found = page.count
                last = page.last?.id ?? last
            } else {
                found = try keep(
                    "SELECT id, document FROM items WHERE id > ? ORDER BY id LIMIT ?", [last, preparation.pageSize])
                last = rows.last?.id ?? last
            }
            units += found
            if found < preparation.pageSize {
                return units
            }
        }
    }

    func match() throws -> Int {
        let word = preparation.word ?? ""
        let total = try pool.read { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM words WHERE words MATCH ?"), arguments: [word])
        }
        totals.append(total ?? 0)
        let found = "FROM words JOIN items ON items.id = words.rowid WHERE words MATCH ? ORDER BY words.rowid LIMIT ?"
        if preparation.isCodable {
            items += try pool.read { database in
                try Item.fetchAll(
                    database.cachedStatement(sql: "SELECT items.* " + found), arguments: [word, preparation.pageSize])
            }
        } else {
            try keep("SELECT items.id, items.document " + found, [word, preparation.pageSize])
        }
        return 1
    }

    /// Runs a statement that GRDB caches in a read of its own, keeps its rows, and returns their number.
    @discardableResult
    private func keep(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        let found = try pool.read { database in
            try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row -> (Int64, String) in
                (row[0], row[1])
            }
        }
        rows += found
        return found.count
    }
}
