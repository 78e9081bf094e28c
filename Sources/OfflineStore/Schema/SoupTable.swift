import Soups

/// Writes the SQL of one soup's tables and indexes. The texts are those of Mobile SDK, so that stores can be compared.
/// Source: the reference, `SmartStore` on Android.
struct SoupTable {
    let id: Int64
    let indexSpecs: [IndexSpec]
    let storesExternally: Bool
    /// Whether full-text columns also have an ordinary index.
    let hasFullTextIndexes: Bool

    var name: SoupTableName { SoupTableName(id) }

    init(id: Int64, indexSpecs: [IndexSpec], storesExternally: Bool, hasFullTextIndexes: Bool = true) {
        self.id = id
        self.indexSpecs = indexSpecs.enumerated().map { index, spec in
            IndexSpec(
                path: spec.path, type: spec.type,
                columnName: Self.column(of: spec, table: SoupTableName(id), index: index))
        }
        self.storesExternally = storesExternally
        self.hasFullTextIndexes = hasFullTextIndexes
    }

    init(_ soup: RegisteredSoup) {
        id = soup.id
        indexSpecs = soup.indexSpecs
        storesExternally = soup.storesExternally
        hasFullTextIndexes = soup.hasFullTextIndexes
    }

    /// The column of a spec; for a type without columns, the expression that is used instead.
    private static func column(of spec: IndexSpec, table: SoupTableName, index: Int) -> String {
        spec.type.hasColumn ? table.column(index) : JSONExtract.expression(spec.path)
    }

    /// The specs that have a column, in order.
    var columnSpecs: [IndexSpec] { indexSpecs.filter(\.type.hasColumn) }
    var fullTextSpecs: [IndexSpec] { indexSpecs.filter { $0.type == .fullText } }

    var createTable: String {
        var columns = ["id INTEGER PRIMARY KEY AUTOINCREMENT"]
        if !storesExternally {
            columns.append("soup TEXT")
        }
        columns += ["created INTEGER", "lastModified INTEGER"]
        for spec in indexSpecs {
            if let type = spec.type.columnType, let column = spec.columnName {
                columns.append("\(column) \(type)")
            }
        }
        return "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))"
    }

    /// Nil if no spec is a full-text one.
    func createFullText(_ version: FullTextVersion) -> String? {
        let columns = fullTextSpecs.compactMap(\.columnName)
        return columns.isEmpty
            ? nil : "CREATE VIRTUAL TABLE \(name.fullText) USING \(version.rawValue)(\(columns.joined(separator: ",")))"
    }

    var createIndexes: [String] {
        let dates = ["created", "lastModified"].map { "CREATE INDEX \(name)_\($0)_idx on \(name) ( \($0) )" }
        return dates
            + indexSpecs.enumerated().compactMap { index, spec in
                guard spec.type != .fullText || hasFullTextIndexes else { return nil }
                return spec.columnName.map { "CREATE INDEX \(name.index(index)) on \(name) ( \($0) )" }
            }
    }

    var dropIndexes: [String] {
        ["created", "lastModified"].map { "DROP INDEX IF EXISTS \(name)_\($0)_idx" }
            + indexSpecs.indices.map { "DROP INDEX IF EXISTS \(name.index($0))" }
    }
}
