package import Soups

extension MatchExpression {
    /// The full-text paths that a match query searches: those that its terms name, and `indexPath` for the others. Nil
    /// where a term searches every path of the soup.
    package static func searchedPaths(of spec: QuerySpec) throws(Fault) -> Set<ByteKey>? {
        var paths: Set<ByteKey> = []
        for field in try SoupFilter.matchExpression(spec).fields {
            let named = field.map { String(decoding: $0.path, as: UTF8.self) }
            guard let path = named ?? spec.indexPath else {
                return nil
            }
            paths.insert(ByteKey(path))
        }
        return paths
    }

    /// The fields of all terms; nil is among them if a term has none.
    private var fields: Set<MatchField?> {
        switch self {
        case .phrase(let phrase): [phrase.field]
        case .near(_, _, let field): [field]
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.fields) }
        case .without(let kept, let dropped): kept.fields.union(dropped.fields)
        }
    }
}
