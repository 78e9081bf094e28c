import Soups

/// What a query reads for each of its selected paths: the expressions of a statement, and what their columns hold.
struct SelectedColumns {
    private(set) var columns: [PageQuery.Column] = []
    private(set) var expressions: [String] = []

    /// Resolves the paths; `_soup` is the whole entry.
    ///
    /// - Throws: `pathNotIndexed`.
    init(_ paths: [String], in soup: RegisteredSoup, permissive: Bool) throws(Fault) {
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
