/// The beginning of a path of an expression: the property of the entity that it starts with.
package struct PathUse: Sendable {
    /// The name of the property.
    package let name: String
    /// Whether the path continues after the property, or `any`, `all` or `$count` is applied to it.
    package let isFollowed: Bool
    /// Whether the model declares the property as a navigation property.
    package let isNavigation: Bool
    /// The offset of the path in the text of its option; nil in the value of a parameter alias.
    package let offset: Int?
}

extension ODataEvaluator {
    /// The paths that start at the entity, not at a lambda variable, with those of parameter aliases.
    package var pathUses: [PathUse] {
        uses(isAlias: false) + aliases.values.flatMap { $0.uses(isAlias: true) }
    }

    private func uses(isAlias: Bool) -> [PathUse] {
        let operands = Set(
            expression.nodes.indices.filter { [.any, .all, .count].contains(expression.nodes[$0].kind) }
                .map { Int(expression.nodes[$0].first) })
        return expression.nodes.indices.compactMap { index in
            guard expression.nodes[index].kind == .path, slots[index] < 0 else { return nil }
            return use(of: index, isOperand: operands.contains(index), isAlias: isAlias)
        }
    }

    private func use(of path: Int, isOperand: Bool, isAlias: Bool) -> PathUse? {
        let children = expression.children(of: path)
        // `$it` and types say where the path starts, and of which type that is.
        let segments = (children.isEmpty ? [path] : children).drop { segment in
            let name = names[segment]
            return name.utf8.first == UInt8(ascii: "$") || name.utf8.contains(UInt8(ascii: "."))
        }
        guard let first = segments.first else { return nil }
        // After a name in a segment with parentheses there is a key or a filter.
        let isPlain = expression.nodes[first].kind == .name || first == path
        let name = isPlain ? names[first] : names[Int(expression.nodes[first].first)]
        return PathUse(
            name: name, isFollowed: isOperand || !isPlain || segments.count > 1, isNavigation: isNavigation(name),
            offset: isAlias ? nil : expression.nodes[path].range.lowerBound)
    }

    private func isNavigation(_ name: String) -> Bool {
        entityType.structuredName.flatMap { model?.navigation(name, of: $0) } != nil
    }
}

extension PreparedOptions {
    /// The paths of the expressions of this level, each with its option.
    package var pathUses: [(option: SystemOption, use: PathUse)] {
        (filter?.pathUses ?? []).map { (.filter, $0) }
            + order.flatMap(\.evaluator.pathUses).map { (.orderby, $0) }
            + computations.flatMap(\.evaluator.pathUses).map { (.compute, $0) }
            + transformations.flatMap(\.pathUses).map { (.apply, $0) }
    }
}
