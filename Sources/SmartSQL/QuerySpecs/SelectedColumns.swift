import Soups

/// What a query reads for each of its selected paths: the expressions of a statement, and what their columns hold.
struct SelectedColumns {
    private(set) var columns: [PageQuery.Column] = []
    private(set) var expressions: [String] = []

    /// The columns that SQLite allows, without the id and the order key, which a page has before them.
    private static let mostPaths = 1998

    /// Resolves the paths; `_soup` is the whole entry.
    ///
    /// - Throws: `pathNotIndexed`; `invalidQuerySpec` for more paths than a statement can have columns.
    init(_ paths: [String], in soup: RegisteredSoup, permissive: Bool) throws(Fault) {
        guard paths.count <= Self.mostPaths else {
            throw Fault(.invalidQuerySpec, "a query can select at most \(Self.mostPaths) paths")
        }
        for path in paths {
            if ByteKey(path) == SoupColumn.entryPath {
                columns.append(soup.storesExternally ? .externalEntry : .entry)
                expressions.append(soup.storesExternally ? "NULL" : "soup")
            } else {
                columns.append(.value)
                expressions.append(try SoupColumn(path: path, in: soup, permissive: permissive).expression)
            }
        }
    }
}
