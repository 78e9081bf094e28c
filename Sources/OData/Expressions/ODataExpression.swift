public import Soups

/// Holds a parsed expression: its text, and its tree as an arena of nodes with source ranges.
///
/// A value without references between nodes: copying shares storage, releasing a deep tree is one step. Parse once,
/// evaluate, print or translate often; safe to share between threads. Source: OData URL Conventions 4.01, common
/// expressions; MS-ODATA for 1.0 to 3.0.
public struct ODataExpression: Sendable {
    public let version: ODataVersion
    /// The UTF-8 text that the ranges of the nodes count in.
    public let source: [UInt8]
    public internal(set) var nodes: [ExpressionNode]
    /// The place of the root in `nodes`.
    public let root: Int

    init(version: ODataVersion, source: [UInt8], nodes: [ExpressionNode], root: Int32) {
        self.version = version
        self.source = source
        self.nodes = nodes
        self.root = Int(root)
    }

    /// Parses a whole text, percent-decoded already. Linear in its length.
    ///
    /// Faults, with byte offsets: `syntax`, `unsupported`, `invalidLiteral`, `limitExceeded`.
    public init(parsing text: String, version: ODataVersion = .v4, limits: Limits = .default) throws(Fault) {
        try self.init(validated: Array(text.utf8), version: version, limits: limits)
    }

    /// Parses bytes; those that are no UTF-8 are a `syntax` fault.
    public init(parsing bytes: [UInt8], version: ODataVersion = .v4, limits: Limits = .default) throws(Fault) {
        if let offset = UTF8Validation.firstInvalid(in: bytes) {
            throw Fault(.syntax, "invalid UTF-8", offset: offset)
        }
        try self.init(validated: bytes, version: version, limits: limits)
    }

    init(validated bytes: [UInt8], version: ODataVersion, limits: Limits) throws(Fault) {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(Fault) -> ([ExpressionNode], Int32) in
                var parser = try ExpressionParser(buffer, version: version, limits: limits)
                let root = try parser.expression()
                if !parser.lexer.isAtEnd {
                    throw parser.trailing()
                }
                return (parser.nodes, root)
            }
        }
        let (nodes, root) = try result.get()
        self.init(version: version, source: bytes, nodes: nodes, root: root)
    }
}

extension ExpressionParser {
    /// The fault for a text that goes on behind its expression: at the first character that is no blank.
    func trailing() -> Fault {
        var ahead = lexer
        ahead.skipBlanks()
        return ahead.unexpected(ahead.isAtEnd ? "unexpected space at the end" : "expected an operator or the end")
    }
}

extension ODataExpression {
    /// Lists the children of a node, in the order of the text.
    public func children(of node: Int) -> [Int] {
        var result: [Int] = []
        var next = nodes[node].first
        while next >= 0 {
            result.append(Int(next))
            next = nodes[Int(next)].next
        }
        return result
    }

    /// Gives the bytes of a node's text.
    public func bytes(of node: Int) -> ArraySlice<UInt8> { source[nodes[node].range] }

    /// Copies the text of a node as written.
    public func text(of node: Int) -> String { String(decoding: bytes(of: node), as: UTF8.self) }

    /// Gives the function of a call.
    public func function(of node: Int) -> CanonicalFunction? {
        nodes[node].kind == .call ? CanonicalFunction(rawValue: nodes[node].detail) : nil
    }

    /// Lists the names of a path; segments with brackets appear with their brackets as written.
    public func segments(of path: Int) -> [String] {
        let children = children(of: path)
        return children.isEmpty ? [text(of: path)] : children.map { text(of: $0) }
    }
}
