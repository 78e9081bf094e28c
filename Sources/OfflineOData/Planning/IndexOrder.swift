import OData
import OfflineStore
import Soups

/// The order of a query along an index of texts.
///
/// The cells of such an index are in the order of the values as long as each of them is a text or empty: SQLite
/// compares texts by their bytes, which is the order of their Unicode scalars, and puts empty cells first, as the
/// evaluator does with null. Rows with equal cells follow each other in the order of their ids, which is reversed
/// together with the index, as the order of equal rows is by a sort. A query therefore gives the same rows as after a
/// sort.
struct IndexOrder: Sendable {
    /// The statement that finds the ids in their order.
    let statement: String
    /// The statement that finds cells which may be something other than a text; nil if there cannot be any.
    private let doubts: String?

    /// Nil if the query is not sorted by one path that has an index of texts, without a declared type or declared as a
    /// text.
    init?(_ options: PreparedOptions, soup: RegisteredSoup) {
        guard options.order.count == 1, options.computations.isEmpty, soup.canBeNamed else { return nil }
        let item = options.order[0]
        let planner = ConjunctPlanner(filter: item.evaluator, soup: soup, walks: false)
        guard let cell = planner.cell(item.evaluator.expression.root), cell.kind != .number else { return nil }
        guard cell.kind == .row || cell.fits(.string) else { return nil }
        // A full-text path without an ordinary index would be sorted by SQLite.
        if soup.indexSpec(for: cell.path)?.type == .fullText, !soup.hasFullTextIndexes {
            return nil
        }
        statement = Self.statement(cell, soup.name, isDescending: item.isDescending)
        doubts = Self.doubts(cell, soup.name)
    }

    private static func statement(_ cell: Cell, _ soup: String, isDescending: Bool) -> String {
        let id = "{\(soup):_soupEntryId}"
        let direction = isDescending ? " DESC" : ""
        let keys = cell.path == "_soupEntryId" ? [id] : [cell.sql, id]
        return "SELECT \(id) FROM {\(soup)} ORDER BY " + keys.map { $0 + direction }.joined(separator: ", ")
    }

    /// Finds the first ids in the order, at most so many; nil if a cell may be something other than a text, so that the
    /// order of the index may be another one.
    func ids(in snapshot: StoreSnapshot, limit: Int) throws(Fault) -> [Int64]? {
        guard try isCertain(in: snapshot) else { return nil }
        var ids: [Int64] = []
        guard limit > 0 else { return ids }
        try snapshot.rows(statement, arguments: []) { (row) throws(Fault) in
            ids.append(row.integer(at: 0))
            return ids.count < limit
        }
        return ids
    }

    /// Whether each cell is known to be a text or empty. Takes a few searches in the index, and a look at the cells
    /// that begin as a number does.
    func isCertain(in snapshot: StoreSnapshot) throws(Fault) -> Bool {
        guard let doubts else { return true }
        var isCertain = true
        try snapshot.rows(doubts, arguments: []) { (_) throws(Fault) in
            isCertain = false
            return false
        }
        return isCertain
    }

    private static func doubts(_ cell: Cell, _ soup: String) -> String? {
        let isList = "\(cell.sql) >= '[' AND \(cell.sql) < '\\'"
        let isObject = "\(cell.sql) >= '{' AND \(cell.sql) < '|'"
        let others: [String]
        switch cell.kind {
        case .row, .number: return nil
        case .json: others = ["\(cell.sql) < ''"]
        case .text: others = [mayBeNumber(cell.sql), "\(cell.sql) IN ('true', 'false')"]
        }
        // One search for each: with OR, SQLite reads the row of every cell that it finds.
        return (others + [isList, isObject])
            .map { "SELECT 1 FROM {\(soup)} WHERE \($0)" }
            .joined(separator: " UNION ALL ")
    }

    /// Whether a text cell may be a number of JSON, which has a minus only in front and after its `e`. Dates are not
    /// numbers by this.
    private static func mayBeNumber(_ cell: String) -> String {
        "\(cell) >= '-' AND \(cell) < ':' AND NOT \(cell) GLOB '*[^-+.0-9eE]*' AND NOT \(cell) GLOB '*[0-9.]-*'"
    }
}
