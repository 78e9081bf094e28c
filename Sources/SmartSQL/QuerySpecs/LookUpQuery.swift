public import Soups

/// Converts a look-up of keys at a path to one statement, which is run once for each key.
///
/// Rows have the entry's id in column 0, and the values described by `columns` from column 1 on. Those of one key are
/// ordered by id.
public struct LookUpQuery: Sendable {
    /// The statement, with `parameterCount` parameters for a key.
    public let sql: String
    /// What the columns of a row hold, from column 1 on.
    public let columns: [PageQuery.Column]
    private let affinity: SoupColumn.Affinity

    /// Resolves the paths of a look-up.
    ///
    /// - Parameter permissive: Whether paths without an index may be searched, which reads every entry for each key.
    /// - Throws: `pathNotIndexed`; `invalidQuerySpec` if nothing is selected, or too many paths.
    public init(path: String, selecting: [String], soup: RegisteredSoup, permissive: Bool = false) throws(Fault) {
        guard !selecting.isEmpty else {
            throw Fault(.invalidQuerySpec, "a look-up selects no path; name at least one")
        }
        let column = try SoupColumn(path: path, in: soup, permissive: permissive)
        guard column.isIndexed || permissive else {
            throw Fault(
                .pathNotIndexed,
                "the soup has no ordinary index on this path; a full-text path without one can be searched by exact",
                context: [.soup(soup.name), .path(path)])
        }
        let selection = try SelectedColumns(selecting, in: soup, permissive: permissive)
        columns = selection.columns
        let selected = (["id"] + selection.expressions).joined(separator: ", ")
        affinity = column.affinity
        let condition = affinity == .none ? "IN (?, ?)" : "= ?"
        sql =
            "SELECT \(selected) FROM \(soup.tableName) WHERE \(column.expression) \(condition) ORDER BY id"
    }

    /// The values to bind for a key, converted as the key of an `exact` query is; nil for NULL, which equals no value.
    public func bindings(of key: SQLValue) -> [SQLValue]? {
        switch key {
        case .null: nil
        case .blob: affinity == .none ? [key, key] : [key]
        case .text where affinity == .text: [key]
        case .text(let text): bindings(of: QuerySpec.Key.string(String(decoding: text, as: UTF8.self)))
        case .integer(let integer): bindings(of: QuerySpec.Key.integer(integer))
        case .real(let real): bindings(of: QuerySpec.Key.floating(real))
        }
    }

    /// The values to bind for a key of a query spec.
    public func bindings(of key: QuerySpec.Key) -> [SQLValue] {
        let value = key.value(for: affinity)
        // A json1 path has numbers and texts: a text that spells a number finds both.
        return affinity == .none ? [value, key.spelledNumber ?? value] : [value]
    }
}
