import JSONText
import SQLiteAccess
import SmartSQL
import Soups
import TestSupport

/// A soup in an in-memory database, created like the store does: `name` string, `rank` integer, `tag` json1, `text`
/// full-text.
struct SampleSoup {
    let connection: Connection
    let soup: RegisteredSoup

    static func registered(_ version: FullTextVersion = .fts5, name: String = "people", id: Int64 = 1) -> RegisteredSoup
    {
        let table = "TABLE_\(id)"
        return RegisteredSoup(
            spec: SoupSpec(name: name), id: id,
            indexSpecs: [
                IndexSpec(path: "name", type: .string, columnName: "\(table)_0"),
                IndexSpec(path: "rank", type: .integer, columnName: "\(table)_1"),
                IndexSpec(path: "tag", type: .json1, columnName: "json_extract(soup, '$.tag')"),
                IndexSpec(path: "text", type: .fullText, columnName: "\(table)_3"),
                IndexSpec(path: "more", type: .fullText, columnName: "\(table)_4"),
            ], fullTextVersion: version)
    }

    init(_ backEnd: BackEnd, fullText version: FullTextVersion = .fts5) throws {
        connection = try Connection(inMemory: backEnd.library())
        soup = Self.registered(version)
        try connection.execute(
            """
            CREATE TABLE TABLE_1 (id INTEGER PRIMARY KEY AUTOINCREMENT, soup TEXT, created INTEGER, lastModified INTEGER,
                TABLE_1_0 TEXT, TABLE_1_1 INTEGER, TABLE_1_3 TEXT, TABLE_1_4 TEXT);
            CREATE INDEX TABLE_1_created_idx on TABLE_1 ( created );
            CREATE INDEX TABLE_1_lastModified_idx on TABLE_1 ( lastModified );
            CREATE INDEX TABLE_1_0_idx on TABLE_1 ( TABLE_1_0 );
            CREATE INDEX TABLE_1_1_idx on TABLE_1 ( TABLE_1_1 );
            CREATE INDEX TABLE_1_2_idx on TABLE_1 ( json_extract(soup, '$.tag') );
            CREATE INDEX TABLE_1_3_idx on TABLE_1 ( TABLE_1_3 );
            CREATE INDEX TABLE_1_4_idx on TABLE_1 ( TABLE_1_4 );
            CREATE VIRTUAL TABLE TABLE_1_fts USING \(version.rawValue)(TABLE_1_3,TABLE_1_4);
            """)
    }

    /// One entry; `tag` is JSON.
    struct Entry {
        var name: String?
        var rank: Int64?
        var tag: JSONValue = nil
        var text: String?
        var more: String?
    }

    func insert(_ entries: [Entry]) throws {
        func value(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
        try connection.transaction { () throws(Fault) in
            for entry in entries {
                var object = JSONObject()
                object["tag"] = entry.tag
                object["name"] = entry.name.map(JSONValue.string)
                let soup = String(decoding: JSONValue.object(object).bytes(), as: UTF8.self)
                let insert = try connection.statement(
                    "INSERT INTO TABLE_1(soup, created, lastModified, TABLE_1_0, TABLE_1_1, TABLE_1_3, TABLE_1_4) VALUES (?, 1, 1, ?, ?, ?, ?)"
                )
                let values: [SQLValue] = [
                    .text(soup), value(entry.name), entry.rank.map(SQLValue.integer) ?? .null, value(entry.text),
                    value(entry.more),
                ]
                for (index, value) in values.enumerated() {
                    try insert.bind(value, at: index + 1)
                }
                try insert.run()
                let full = try connection.statement(
                    "INSERT INTO TABLE_1_fts(rowid, TABLE_1_3, TABLE_1_4) VALUES (?, ?, ?)")
                for (index, value) in [.integer(connection.lastInsertRowID), value(entry.text), value(entry.more)]
                    .enumerated()
                {
                    try full.bind(value, at: index + 1)
                }
                try full.run()
            }
        }
    }

    /// Fills the soup with entries in one statement: names from `k000001` on, half of the ranks NULL, ten different
    /// tags, and one word in every tenth text.
    func fill(_ count: Int) throws {
        try connection.execute(
            """
            INSERT INTO TABLE_1(soup, created, lastModified, TABLE_1_0, TABLE_1_1, TABLE_1_3)
            WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count))
            SELECT '{"tag":' || (i % 10) || '}', i, i, printf('%s%06d', CASE i % 2 WHEN 0 THEN 'k' ELSE 'K' END, i), CASE WHEN i % 2 THEN i END,
                CASE WHEN i % 10 = 0 THEN 'rare word' ELSE 'common' END
            FROM numbers;
            INSERT INTO TABLE_1_fts(rowid, TABLE_1_3) SELECT id, TABLE_1_3 FROM TABLE_1;
            """)
    }

    func rows(_ statement: BoundStatement, limit: Int? = nil) throws -> [[SQLValue]] {
        let prepared = try connection.statement(statement.sql)
        defer { prepared.clear() }
        for (index, value) in statement.bindings.enumerated() {
            try prepared.bind(value, at: index + 1)
        }
        if let limit {
            try prepared.bind(integer: Int64(limit), at: statement.bindings.count + 1)
        }
        var rows: [[SQLValue]] = []
        while try prepared.step() {
            rows.append((0..<prepared.columnCount).map { prepared.value(at: $0) })
        }
        return rows
    }

    /// Runs the statements of a page in turn until it is full.
    func rows(_ page: PageQuery.Page, size: Int) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        for statement in page.statements where rows.count < size {
            rows += try self.rows(statement, limit: size - rows.count)
        }
        return page.isReversed ? rows.reversed() : rows
    }

    func ids(_ spec: QuerySpec) throws -> [Int64] {
        try rows(PageQuery(spec, soup: soup).firstPage, size: Int.max).map(\.id)
    }

    func plan(_ sql: String, bindings: [SQLValue] = []) throws -> String {
        try rows(BoundStatement(sql: "EXPLAIN QUERY PLAN " + sql, bindings: bindings)).map { row in
            guard case .text(let bytes) = row[3] else {
                return ""
            }
            return String(decoding: bytes, as: UTF8.self)
        }.joined(separator: " | ")
    }
}

extension [SQLValue] {
    /// The entry id, the first column of a row.
    var id: Int64 {
        if case .integer(let id) = self[0] {
            id
        } else {
            -1
        }
    }
}
