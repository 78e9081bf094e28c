import SQLiteAccess
import Soups

/// The store's writing statements.
///
/// The values of an insert or an update are read from a file that a store wrote: they are what it bound.
extension FloorStore {
    private var columns: [String] { soup.indexSpecs.compactMap(\.columnName) }
    private var textColumns: [String] { soup.indexSpecs.filter { $0.type == .fullText }.compactMap(\.columnName) }
    private var isFullText: Bool { soup.fullTextVersion != nil }

    private func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }

    var insert: String {
        let names = ["id", "created", "lastModified", "soup"] + columns
        return "INSERT INTO TABLE_1 (\(names.joined(separator: ", "))) VALUES (\(marks(names.count)))"
    }

    private var update: String {
        "UPDATE TABLE_1 SET \((["lastModified", "soup"] + columns).map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
    }

    private func intoText(_ verb: String) -> String {
        "\(verb) INTO TABLE_1_fts (rowid, \(textColumns.joined(separator: ", "))) VALUES (\(marks(textColumns.count + 1)))"
    }

    /// The inserts of all entries that are in the file now.
    func inserts() throws(Fault) -> FloorScript {
        let script = FloorScript(stepsOfEntry: isFullText ? 2 : 1)
        let fixed = ["id", "created", "lastModified", "soup"]
        try forEachRow("SELECT \((fixed + columns).joined(separator: ", ")) FROM TABLE_1 ORDER BY id", []) { row in
            script.append(insert, row)
            appendText("INSERT", row[0], Array(row.dropFirst(fixed.count)), to: script)
        }
        script.layOut()
        return script
    }

    /// The updates that gave these entries the values that they have now, in this order.
    func updates(of ids: [Int64]) throws(Fault) -> FloorScript {
        let script = FloorScript(stepsOfEntry: isFullText ? 2 : 1)
        let names = (["lastModified", "soup"] + columns).joined(separator: ", ")
        for id in ids {
            try forEachRow("SELECT \(names) FROM TABLE_1 WHERE id = ?", [.integer(id)]) { row in
                script.append(update, row + [.integer(id)])
                appendText("INSERT OR REPLACE", .integer(id), Array(row.dropFirst(2)), to: script)
            }
        }
        script.layOut()
        return script
    }

    /// The removals of these entries, in the order of their ids, as the store removes them.
    func removals(of ids: [Int64]) -> FloorScript {
        let script = FloorScript(stepsOfEntry: isFullText ? 2 : 1)
        for id in ids.sorted() {
            script.append("DELETE FROM TABLE_1 WHERE id = ?", [.integer(id)])
            if isFullText {
                script.append("DELETE FROM TABLE_1_fts WHERE rowid = ?", [.integer(id)])
            }
        }
        script.layOut()
        return script
    }

    private func appendText(_ verb: String, _ id: SQLValue, _ values: [SQLValue], to script: FloorScript) {
        guard isFullText else { return }
        let texts = zip(columns, values).filter { textColumns.contains($0.0) }.map(\.1)
        script.append(intoText(verb), [id] + texts)
    }

    /// Runs a statement and lends the values of each row.
    func forEachRow(
        _ sql: String, _ values: [SQLValue], _ body: ([SQLValue]) throws(Fault) -> Void
    ) throws(Fault) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        while try statement.step() {
            try body((0..<statement.columnCount).map { statement.value(at: $0) })
        }
    }
}
