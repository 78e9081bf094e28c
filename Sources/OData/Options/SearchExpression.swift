public import Soups

/// A parsed `$search`: words and phrases joined by NOT, AND (also implicit) and OR, in this order of precedence.
///
/// ```swift
/// let search = try SearchExpression(parsing: #"milk AND NOT "low fat""#)
/// let text = search.canonicalText
/// ```
///
/// The nodes are in one array, children before their parents, so long chains do not need recursion. Source: OData URL
/// Conventions 4.01, 5.1.8.
public struct SearchExpression: Sendable {
    /// One node. Operators have the indexes of their operands.
    public enum Node: Sendable {
        /// A single word.
        case term(String)
        /// The text between quotes, without escapes.
        case phrase(String)
        /// Both operands must match.
        case and(Int, Int)
        /// One of the operands must match.
        case or(Int, Int)
        /// The operand must not match.
        case not(Int)
    }

    /// All nodes of the tree, children before their parents.
    public let nodes: [Node]
    /// The index of the root, which is the last node.
    public var root: Int { nodes.count - 1 }

    init(nodes: [Node]) { self.nodes = nodes }

    /// Parses a text, which must be percent-decoded.
    ///
    /// Throws `syntax` or `limitExceeded`.
    public init(parsing text: String, version: ODataVersion = .v4, limits: Limits = .default) throws(Fault) {
        let bytes = Array(text.utf8)
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
            var parser = try OptionParser(buffer, source: bytes, version: version, limits: limits)
            let search = try parser.search()
            try parser.end()
            return search
        }
    }
}
