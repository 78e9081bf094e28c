public import Soups

/// Holds a parsed `$search`: words and phrases joined by NOT, AND (also implicit) and OR, in this order of rank.
///
/// Nodes stand in one array, children before parents, so long chains need no deep stack. Source: OData URL Conventions
/// 4.01, 5.1.8.
public struct SearchExpression: Sendable {
    /// Holds one node; operators name the places of their operands.
    public enum Node: Sendable {
        case term(String)
        case phrase(String)
        case and(Int, Int)
        case or(Int, Int)
        case not(Int)
    }

    public let nodes: [Node]
    /// The place of the root: the last node.
    public var root: Int { nodes.count - 1 }

    init(nodes: [Node]) { self.nodes = nodes }

    /// Parses a whole text, percent-decoded already.
    ///
    /// Faults: `syntax`, `limitExceeded`.
    public init(parsing text: String, version: ODataVersion = .v4, limits: Limits = .default) throws(Fault) {
        let bytes = Array(text.utf8)
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(Fault) -> SearchExpression in
                var parser = try OptionParser(buffer, source: bytes, version: version, limits: limits)
                let search = try parser.search()
                try parser.end()
                return search
            }
        }
        self = try result.get()
    }
}
