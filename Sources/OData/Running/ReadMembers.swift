import Soups

extension ODataEvaluator {
    /// The names of the members of an entity that the expression looks at; nil if it may look at any of them.
    package var readMembers: [String]? {
        var found: Set<ByteKey> = []
        for index in expression.nodes.indices {
            switch expression.nodes[index].kind {
            case .path:
                guard slots[index] < 0 else { continue }
                let children = expression.children(of: index)
                guard children.allSatisfy({ expression.nodes[$0].kind == .name && isPlain(names[$0]) }) else {
                    return nil
                }
                let name = names[children.first ?? index]
                guard isPlain(name), name.utf8.first != UInt8(ascii: "$"), !name.utf8.contains(UInt8(ascii: ".")) else {
                    return nil
                }
                found.insert(ByteKey(name))
            case .alias:
                guard let alias = aliases[ByteKey(names[index])] else { continue }
                let root = alias.expression.nodes[alias.expression.root].kind
                guard root == .literal || root == .null else { return nil }
            case .cast, .isof:
                // Without a value they are about the entity.
                guard expression.children(of: index).count == 2 else { return nil }
            case .it, .keySegment, .functionSegment, .filterSegment: return nil
            default: continue
            }
        }
        return found.map(\.text)
    }

    /// Whether a name is neither an annotation nor an alias.
    private func isPlain(_ name: String) -> Bool { !name.utf8.contains(UInt8(ascii: "@")) }
}

extension PreparedOptions {
    /// The names of the members of a row that the filter and the order look at; nil if they may look at any of them.
    package var readMembers: [String]? {
        guard computations.isEmpty else {
            return nil
        }
        var found: Set<ByteKey> = []
        for evaluator in [filter].compactMap(\.self) + order.map(\.evaluator) {
            guard let names = evaluator.readMembers else { return nil }
            found.formUnion(names.map { ByteKey($0) })
        }
        return found.map(\.text)
    }
}
