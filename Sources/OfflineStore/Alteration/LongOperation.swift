import JSONText
import SQLiteAccess
import Soups

/// Reads and writes the status rows of operations that survive an interruption. A row exists only until its operation
/// has finished.
struct LongOperation {
    let id: Int64
    let details: AlterationDetails
    let status: AlterationStep

    static let type = "alterSoup"

    /// Every operation that can be read. Rows of another kind, with invalid text, that do not fit the tables, or of
    /// which several fit one soup, are left alone.
    static func all(_ connection: Connection) throws(Fault) -> [LongOperation] {
        try read(connection).operations
    }

    /// The operations, and whether there are rows that were left alone.
    private static func read(
        _ connection: Connection
    ) throws(Fault) -> (operations: [LongOperation], hasOtherRows: Bool) {
        let (readable, count) = try readable(connection)
        var fitting: [LongOperation] = []
        for operation in readable where try operation.fitsTables(connection) {
            fitting.append(operation)
        }
        let bySoup = Dictionary(grouping: fitting) { ByteKey($0.details.soupName) }
        let operations = fitting.filter { bySoup[ByteKey($0.details.soupName)]?.count == 1 }
        return (operations, operations.count < count)
    }

    /// The rows that describe an alteration, and the number of all rows.
    private static func readable(
        _ connection: Connection
    ) throws(Fault) -> (operations: [LongOperation], rows: Int) {
        guard try MetaTables.names(connection).isSuperset(of: ["long_operations_status", "soup_attrs"]) else {
            return ([], 0)
        }
        let statement = try connection.statement(
            "SELECT id, type, details, status FROM long_operations_status ORDER BY id")
        defer { statement.reset() }
        var operations: [LongOperation] = []
        var rows = 0
        while try statement.step() {
            rows += 1
            guard statement.text(at: 1) == type,
                let status = AlterationStep(rawValue: statement.text(at: 3)),
                let json = try? JSONValue(parsing: statement.bytes(at: 2)), let details = AlterationDetails(json: json)
            else {
                continue
            }
            operations.append(LongOperation(id: statement.integer(at: 0), details: details, status: status))
        }
        return (operations, rows)
    }

    /// Removes the rows about a soup that is not being altered: they would begin to fit when its specs change.
    static func removeStale(ofSoup name: String, in connection: Connection) throws(Fault) {
        for operation in try readable(connection).operations where ByteKey(operation.details.soupName) == ByteKey(name)
        {
            try connection.run("DELETE FROM long_operations_status WHERE id = ?", .integer(operation.id))
        }
    }

    /// How far an operation has come: it changes with every step.
    struct Progress: Hashable {
        let id: Int64
        let status: String
        let lastModified: Int64
    }

    static func progress(_ connection: Connection) throws(Fault) -> [Progress] {
        let statement = try connection.statement(
            "SELECT id, status, lastModified FROM long_operations_status ORDER BY id")
        defer { statement.reset() }
        var rows: [Progress] = []
        while try statement.step() {
            let (id, status) = (statement.integer(at: 0), statement.text(at: 1))
            rows.append(Progress(id: id, status: status, lastModified: statement.integer(at: 2)))
        }
        return rows
    }

    /// The soups that unfinished operations of any process work on, and those whose rows are in the table that one has
    /// renamed, also if its status row is damaged.
    static func soupsUnderway(_ connection: Connection) throws(Fault) -> Set<ByteKey> {
        let (operations, hasOtherRows) = try read(connection)
        // Every connection asks this for each version of the schema: without damaged rows nothing more is read.
        let renamed = hasOtherRows ? try renamedSoups(connection) : []
        return Set((operations.map(\.details.soupName) + renamed).map { ByteKey($0) })
    }

    /// Whether an operation is unfinished: what no row refers to may then be needed to go on with it, or to undo it.
    static func isUnderway(_ connection: Connection) throws(Fault) -> Bool {
        if try !all(connection).isEmpty {
            return true
        }
        if try !renamedSoups(connection).isEmpty {
            return true
        }
        return try ElementTables.hasOldTable(connection)
    }

    /// Whether the rows of a soup are in the table that an alteration has renamed, because they are not copied yet.
    static func keepsRows(of soup: RegisteredSoup, _ connection: Connection) throws(Fault) -> Bool {
        guard connection.hasTable(SoupTableName(soup.id).old) else { return false }
        guard connection.hasTable(soup.tableName) else { return true }
        return try all(connection).contains { operation in
            ByteKey(operation.details.soupName) == ByteKey(soup.name) && !operation.status.isAtLeast(.copyTable)
        }
    }

    /// Adds the row of a new operation and returns its id.
    static func begin(_ details: AlterationDetails, at now: Int64, in connection: Connection) throws(Fault) -> Int64 {
        try connection.run(
            "INSERT INTO long_operations_status (type, details, status, created, lastModified) VALUES (?, ?, ?, ?, ?)",
            .text(type), .text(details.json.bytes()), .text(AlterationStep.starting.rawValue), .integer(now),
            .integer(now))
        return connection.lastInsertRowID
    }

    /// Records that a step is done; the last step removes the row.
    func finish(_ step: AlterationStep, at now: Int64, in connection: Connection) throws(Fault) {
        if step.next(reIndexData: details.reIndexData) == nil {
            try connection.run("DELETE FROM long_operations_status WHERE id = ?", .integer(id))
        } else {
            try connection.run(
                "UPDATE long_operations_status SET status = ?, lastModified = ? WHERE id = ?", .text(step.rawValue),
                .integer(now), .integer(id))
        }
    }
}
