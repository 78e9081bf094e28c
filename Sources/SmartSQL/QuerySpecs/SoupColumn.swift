import Soups

/// The SQL for a path of a soup: a column, or an expression over the stored entry.
struct SoupColumn: Sendable {
    /// How SQLite compares bound values with the column.
    enum Affinity: Sendable {
        /// All values are text or NULL.
        case text
        /// A column that converts numeric text to numbers.
        case number
        /// Like `number`, but all numbers are doubles, so that integers above 2^53 must be compared as doubles.
        case real
        /// An expression, which may have numbers and text; numbers sort first.
        case none
    }

    let expression: String
    let affinity: Affinity
    /// Whether an index has its values in order.
    let isIndexed: Bool
    var isId: Bool { expression == "id" }

    /// A lower bound for all values but NULL, with which the query planner starts after the NULLs of the index.
    var lowestValue: String { affinity == .text ? "''" : "-9e999" }

    /// Finds the column of a special or indexed path; if `permissive` is true, also an expression for any other path.
    /// - Throws: `pathNotIndexed`, also for a path that cannot be expressed in SQL.
    init(path: String, in soup: RegisteredSoup, permissive: Bool) throws(Fault) {
        let key = ByteKey(path)
        if let special = Self.special.first(where: { $0.path == key }) {
            if special.path == Self.entryPath, soup.storesExternally {
                throw Self.notIndexed(path, soup)
            }
            self.init(expression: special.column, affinity: special.affinity, isIndexed: special.path != Self.entryPath)
        } else if let spec = soup.indexSpec(for: path) {
            self.init(spec: spec, isIndexed: spec.type != .fullText || soup.hasFullTextIndexes)
        } else if permissive, !soup.storesExternally, JSONExtract.canExpress(path) {
            self.init(expression: JSONExtract.expression(path), affinity: .none, isIndexed: false)
        } else {
            throw Self.notIndexed(path, soup)
        }
    }

    private init(spec: IndexSpec, isIndexed: Bool) {
        let affinity: Affinity =
            switch spec.type {
            case .string, .fullText: .text
            case .integer: .number
            case .floating: .real
            case .json1: .none
            }
        self.init(
            expression: spec.columnName ?? JSONExtract.expression(spec.path), affinity: affinity, isIndexed: isIndexed)
    }

    private init(expression: String, affinity: Affinity, isIndexed: Bool) {
        self.expression = expression
        self.affinity = affinity
        self.isIndexed = isIndexed
    }

    static let id = SoupColumn(expression: "id", affinity: .number, isIndexed: true)
    static let entryPath = ByteKey("_soup")

    /// Whether a path refers to a column that the table of every soup has.
    static func isSpecial(_ path: String) -> Bool {
        let key = ByteKey(path)
        return special.contains { $0.path == key }
    }

    private static let special: [(path: ByteKey, column: String, affinity: Affinity)] = [
        (entryPath, "soup", .text),
        (ByteKey("_soupEntryId"), "id", .number),
        (ByteKey("_soupCreatedDate"), "created", .number),
        (ByteKey("_soupLastModifiedDate"), "lastModified", .number),
    ]

    private static func notIndexed(_ path: String, _ soup: RegisteredSoup) -> Fault {
        Fault(.pathNotIndexed, "the soup has no index on this path", context: [.soup(soup.name), .path(path)])
    }
}
