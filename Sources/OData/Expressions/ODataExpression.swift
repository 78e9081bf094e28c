public import Soups
import StepCounting

/// A parsed expression: its text, and its tree as an array of nodes with ranges in the text.
///
/// ```swift
/// let filter = try ODataExpression(parsing: "contains(Name,'milk') and (Price lt 3)")
/// let text = filter.canonicalText
/// let operands = filter.children(of: filter.root).map { filter.text(of: $0) }
/// ```
///
/// Nodes do not reference each other, so copies share storage, and even a deep tree is released in one step. Parse an
/// expression once, then evaluate or print it often. Safe to share between threads. Source: OData URL Conventions 4.01,
/// common expressions; MS-ODATA for 1.0 to 3.0.
public struct ODataExpression: Sendable {
    /// The version of OData whose grammar the text follows.
    public let version: ODataVersion
    /// The UTF-8 text that the ranges of the nodes refer to.
    public let source: [UInt8]
    /// The nodes of the tree. Children come before their parents.
    public internal(set) var nodes: [ExpressionNode]
    /// The index of the root in `nodes`.
    public let root: Int

    init(version: ODataVersion, source: [UInt8], nodes: [ExpressionNode], root: Int32) {
        self.version = version
        self.source = source
        self.nodes = nodes
        self.root = Int(root)
    }

    /// Parses a text, which must be percent-decoded. O(n) in the length of the text.
    ///
    /// Throws `syntax`, `unsupported`, `invalidLiteral` or `limitExceeded`, each with a byte offset.
    public init(parsing text: String, version: ODataVersion = .v4, limits: Limits = .default) throws(Fault) {
        try self.init(validated: Array(text.utf8), version: version, limits: limits)
    }

    /// Parses bytes. Throws `syntax` for bytes that are not valid UTF-8.
    public init(parsing bytes: [UInt8], version: ODataVersion = .v4, limits: Limits = .default) throws(Fault) {
        if let offset = UTF8Validation.firstInvalid(in: bytes) {
            throw Fault(.syntax, "invalid UTF-8", offset: offset)
        }
        try self.init(validated: bytes, version: version, limits: limits)
    }

    init(validated bytes: [UInt8], version: ODataVersion, limits: Limits) throws(Fault) {
        let (nodes, root) = try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
            var parser = try ExpressionParser(buffer, version: version, limits: limits)
            let root = try parser.expression()
            if !parser.lexer.isAtEnd {
                throw parser.trailing()
            }
            return (parser.nodes, root)
        }
        self.init(version: version, source: bytes, nodes: nodes, root: root)
    }
}

extension ExpressionParser {
    /// The fault for text after the end of the expression, at its first character that is not a space.
    func trailing() -> Fault {
        var ahead = lexer
        ahead.skipBlanks()
        return ahead.unexpected(ahead.isAtEnd ? "unexpected space at the end" : "expected an operator or the end")
    }
}

extension ODataExpression {
    /// Returns the children of a node in the order of the text.
    public func children(of node: Int) -> [Int] {
        var result: [Int] = []
        var next = nodes[node].first
        while next >= 0 {
            StepCounter.add()
            result.append(Int(next))
            next = nodes[Int(next)].next
        }
        return result
    }

    /// Returns the bytes of a node's text.
    public func bytes(of node: Int) -> ArraySlice<UInt8> { source[nodes[node].range] }

    /// Returns the text of a node as written.
    public func text(of node: Int) -> String { String(decoding: bytes(of: node), as: UTF8.self) }

    /// Returns the function of a call; nil for other nodes.
    public func function(of node: Int) -> CanonicalFunction? {
        nodes[node].kind == .call ? CanonicalFunction(rawValue: nodes[node].detail) : nil
    }

    /// Returns the names of a path. Segments with parentheses include them as written.
    public func segments(of path: Int) -> [String] {
        let children = children(of: path)
        return children.isEmpty ? [text(of: path)] : children.map { text(of: $0) }
    }
}
