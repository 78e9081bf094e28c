import Soups

/// Says what stands in a statement for a path of a soup: a column, or an expression over the stored entry.
struct SoupColumn: Sendable {
    /// How SQLite compares what is bound with it.
    enum Affinity: Sendable {
        /// All values are text or NULL.
        case text
        /// A column that turns text that is a number into one.
        case number
        /// The same, but every number in it is a double, so that an integer beyond 2^53 is found only as one.
        case real
        /// An expression: numbers and text stand side by side, numbers first.
        case none
    }

    let expression: String
    let affinity: Affinity
    /// Whether an index holds its values in order.
    let isIndexed: Bool
    var isId: Bool { expression == "id" }

    /// Bounds that every value but NULL fulfils, written so that the planner starts behind the NULLs of the index.
    var lowestValue: String { affinity == .text ? "''" : "-9e999" }

    /// Finds the column of a special path or an indexed one; permissive also an expression for any other.
    /// - Throws: `pathNotIndexed`, also for a path that no expression can name.
    init(path: String, in soup: RegisteredSoup, permissive: Bool) throws(Fault) {
        let key = ByteKey(path)
        if let special = Self.special.first(where: { $0.path == key }) {
            if special.path == Self.entryPath, soup.storesExternally {
                throw Self.notIndexed(path, soup)
            }
            self.init(expression: special.column, affinity: special.affinity, isIndexed: special.path != Self.entryPath)
        } else if let spec = soup.indexSpec(for: path) {
            self.init(spec: spec)
        } else if permissive, !soup.storesExternally, JSONExtract.canExpress(path) {
            self.init(expression: JSONExtract.expression(path), affinity: .none, isIndexed: false)
        } else {
            throw Self.notIndexed(path, soup)
        }
    }

    private init(spec: IndexSpec) {
        let affinity: Affinity =
            switch spec.type {
            case .string, .fullText: .text
            case .integer: .number
            case .floating: .real
            case .json1: .none
            }
        self.init(expression: spec.columnName ?? JSONExtract.expression(spec.path), affinity: affinity, isIndexed: true)
    }

    private init(expression: String, affinity: Affinity, isIndexed: Bool) {
        self.expression = expression
        self.affinity = affinity
        self.isIndexed = isIndexed
    }

    static let id = SoupColumn(expression: "id", affinity: .number, isIndexed: true)
    static let entryPath = ByteKey("_soup")

    /// Whether a path names a column that every soup's table has.
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
