import OData
import Soups

/// Finds the parts of an expression that may fail for a row.
struct Throwing {
    private var nodes: [Bool]

    /// Looks at each node once. Children come before their parents.
    init(_ filter: ODataEvaluator) {
        let expression = filter.expression
        nodes = Array(repeating: false, count: expression.nodes.count)
        for index in expression.nodes.indices {
            nodes[index] =
                Self.throwsItself(index, filter) || expression.children(of: index).contains { nodes[$0] }
        }
    }

    subscript(_ node: Int) -> Bool { nodes[node] }

    private static func throwsItself(_ node: Int, _ filter: ODataEvaluator) -> Bool {
        let expression = filter.expression
        switch expression.nodes[node].kind {
        case .negate, .add, .subtract, .multiply, .divide, .divideBy, .modulo, .cast, .isof, .keySegment,
            .functionSegment, .filterSegment:
            return true
        case .alias, .name, .path:
            // The value of an alias is computed for each row, unless it is a literal.
            guard !filter.aliases.isEmpty, let alias = filter.aliases[ByteKey(expression.text(of: node))] else {
                return false
            }
            let root = alias.expression.nodes[alias.expression.root].kind
            return root != .literal && root != .null
        case .call:
            switch expression.function(of: node) {
            case .substring, .matchesPattern, .concat, .replace, .geoDistance, .geoLength, .geoIntersects, .hassubset,
                .hassubsequence:
                return true
            default: return false
            }
        default: return false
        }
    }
}
