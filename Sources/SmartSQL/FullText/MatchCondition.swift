import Soups

/// Writes the condition of a match query on a soup: the ids that the full-text table finds.
struct MatchCondition {
    let soup: RegisteredSoup
    /// The column that terms without a path search in; nil for all columns.
    private let column: String?
    /// Whether the full-text table has one column only.
    let hasOneColumn: Bool

    /// - Throws: `pathNotIndexed` for a path without a full-text index, or a soup without full-text indexes.
    init(soup: RegisteredSoup, path: String?) throws(Fault) {
        self.soup = soup
        hasOneColumn = soup.fullTextSpecs.count == 1
        if let path {
            column = try Self.column(path, in: soup, offset: nil)
        } else {
            guard soup.fullTextVersion != nil, !soup.fullTextSpecs.isEmpty else {
                throw Fault(.pathNotIndexed, "the soup has no full-text index", context: [.soup(soup.name)])
            }
            column = nil
        }
    }

    /// - Throws: `invalidMatchExpression` for a path of another soup, `pathNotIndexed` for a path without a full-text
    ///   index, both with the offset of the `{`.
    func fragment(_ expression: MatchExpression) throws(Fault) -> SQLFragment {
        switch soup.fullTextVersion {
        case .fts4: return try FTS4Writer(condition: self).fragment(expression)
        case .fts5, nil: return try search(expression).membership
        }
    }

    /// The search in the full-text table. Only for tables of FTS5: one of FTS4 needs several searches.
    ///
    /// - Throws: as `fragment`.
    func search(_ expression: MatchExpression) throws(Fault) -> FullTextSearch {
        FullTextSearch(table: soup.fullTextTableName, text: try FTS5Writer(condition: self).text(expression))
    }

    /// The column that a term searches in; nil for all columns.
    func column(of field: MatchField?) throws(Fault) -> String? {
        guard let field else {
            return column
        }
        guard field.soup.elementsEqual(soup.name.utf8) else {
            throw Fault(
                .invalidMatchExpression, "the path belongs to another soup", offset: field.offset,
                context: [.soup(soup.name)])
        }
        return try Self.column(String(decoding: field.path, as: UTF8.self), in: soup, offset: field.offset)
    }

    private static func column(_ path: String, in soup: RegisteredSoup, offset: Int?) throws(Fault) -> String {
        guard let spec = soup.indexSpec(for: path), spec.type == .fullText, let column = spec.columnName else {
            throw Fault(
                .pathNotIndexed, "the soup has no full-text index on this path", offset: offset,
                context: [.soup(soup.name), .path(path)])
        }
        return column
    }
}
