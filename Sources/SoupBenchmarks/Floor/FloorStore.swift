import Benchmarking
import OfflineStore
import SQLiteAccess
import SmartSQL
import Soups

/// Knows the statements and values that the store uses, so that the floor can run the same in direct calls.
///
/// A test records what the store runs for ten entries and compares it with this, statement by statement, value by
/// value.
struct FloorStore {
    static let indexes: [IndexSpec] = [.string("key"), .string("category"), .string("name")]

    /// The only soup of a new store.
    static let soup = RegisteredSoup(
        spec: SoupSpec(name: StoreCorpus.soup), id: 1,
        indexSpecs: indexes.enumerated().map { IndexSpec(path: $1.path, type: $1.type, columnName: "TABLE_1_\($0)") },
        fullTextVersion: nil)

    static let insert =
        "INSERT INTO TABLE_1 (id, created, lastModified, soup, TABLE_1_0, TABLE_1_1, TABLE_1_2) VALUES (?, ?, ?, ?, ?, ?, ?)"
    static let lookUp = "SELECT soup FROM TABLE_1 WHERE id = ?"
    static let allEntries = "SELECT soup FROM TABLE_1 ORDER BY id"

    let connection: Connection

    /// Opens a store's file without the store. No other library of this process may have it open.
    init(_ arm: Arm, in folder: String) throws(Fault) {
        let options = try StorageArm.options(of: arm)
        connection = try Connection(
            path: StorageArm.file(in: folder), library: options.library, access: .readWrite, key: options.key,
            settings: options.settings)
    }

    /// The values that the store bound when it inserted the current entries.
    func insertedRows() throws(Fault) -> FloorRows {
        let rows = FloorRows(width: 7)
        let statement = try connection.statement(
            "SELECT id, created, lastModified, soup, TABLE_1_0, TABLE_1_1, TABLE_1_2 FROM TABLE_1 ORDER BY id")
        while try statement.step() {
            rows.append((0..<7).map { statement.value(at: $0) })
        }
        statement.reset()
        rows.layOut()
        return rows
    }

    static func ids(_ ids: [Int64]) -> FloorRows {
        let rows = FloorRows(width: 1)
        for id in ids {
            rows.append([.integer(id)])
        }
        rows.layOut()
        return rows
    }

    /// The statements of the first pages of a query, each text once with the values of all pages that run it.
    func pages(_ spec: QuerySpec, count: Int) throws(Fault) -> [(sql: String, rows: FloorRows)] {
        let query = try PageQuery(spec, soup: Self.soup)
        var runs: [(sql: String, rows: FloorRows)] = []
        var position: PageQuery.Position?
        for _ in 0..<count {
            var wanted = spec.pageSize
            for bound in query.page(after: position).statements where wanted > 0 {
                let values = bound.bindings + [.integer(Int64(wanted))]
                if !runs.contains(where: { ByteKey($0.sql) == ByteKey(bound.sql) }) {
                    runs.append((bound.sql, FloorRows(width: values.count)))
                }
                runs.first { ByteKey($0.sql) == ByteKey(bound.sql) }?.rows.append(values)
                let statement = try connection.statement(bound.sql)
                for (index, value) in values.enumerated() {
                    try statement.bind(value, at: index + 1)
                }
                while try statement.step() {
                    position = PageQuery.Position(key: statement.value(at: 1), id: statement.integer(at: 0))
                    wanted -= 1
                }
                statement.reset()
            }
        }
        for run in runs {
            run.rows.layOut()
        }
        return runs
    }
}
