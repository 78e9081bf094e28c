import Soups

/// Parses expressions by precedence climbing into an array of nodes.
///
/// The published grammar has no precedence; it comes from the table in OData URL Conventions, 5.1.1.17:
///
///     expression(above rank) = operand *( RWS operator-of-a-higher-rank RWS expression(above that rank) )
///     operand = literal / path / call / "(" BWS expression BWS ")" / "not" RWS unary / "-" BWS unary / "case(" ... ")"
///     / JSON
///
/// So `A sub B sub C` becomes (sub (sub A B) C). A loop builds left sides; the parser recurses only for the right side
/// of an operator that binds tighter, and for nested parts. Parentheses, signs, calls and lambdas count against
/// `Limits.depth`; precedence adds at most eight levels between two of them.
struct ExpressionParser {
    var lexer: ExpressionLexer
    var nodes: [ExpressionNode]
    var depth = 0
    /// The number of nodes that may still be added.
    var budget: Int
    let maximumDepth: Int
    /// The number of `any` and `all` around the position, and the maximum.
    var lambdas = 0
    let maximumLambdas: Int
    /// The number of items of `$expand` that may still follow.
    var expandBudget: Int
    /// Whether a segment after the first one is being parsed. There a type cast without a property is allowed.
    var isInsidePath = false

    var version: ODataVersion { lexer.version }

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, version: ODataVersion, limits: Limits, from position: Int = 0
    ) throws(Fault) {
        guard bytes.count <= limits.length, bytes.count < Int(Int32.max) else {
            throw Fault(
                .limitExceeded, "the text is longer than \(limits.length) bytes",
                offset: min(limits.length, bytes.count))
        }
        lexer = ExpressionLexer(bytes, version: version, from: position)
        nodes = []
        nodes.reserveCapacity(min(limits.nodes, bytes.count / 5 + 4))
        budget = limits.nodes
        maximumDepth = limits.depth
        maximumLambdas = limits.lambdaDepth
        expandBudget = limits.expandItems
    }

    /// Adds a node and reduces the budget.
    @inline(__always) mutating func add(_ node: ExpressionNode) throws(Fault) -> Int32 {
        budget -= 1
        if budget < 0 {
            throw tooManyNodes
        }
        nodes.append(node)
        return Int32(truncatingIfNeeded: nodes.count - 1)
    }

    @inline(never) private var tooManyNodes: Fault {
        Fault(.limitExceeded, "the text has too many parts; raise Limits.nodes", offset: lexer.position)
    }

    /// Enters a nested part. The caller must call `leave` after it, unless it throws.
    @inline(__always) mutating func enter() throws(Fault) {
        depth += 1
        if depth > maximumDepth {
            throw Fault(.limitExceeded, "the text is nested deeper than \(maximumDepth) levels", offset: lexer.position)
        }
    }

    @inline(__always) mutating func leave() { depth -= 1 }

    /// Parses an expression of operators with a precedence above `rank`. Stops before anything else, including the
    /// spaces before it.
    mutating func expression(above rank: Int = 0) throws(Fault) -> Int32 {
        var left = try operand()
        while let kind = lexer.binaryOperator(tighterThan: rank) {
            let right = kind == .in ? try inOperand() : try expression(above: kind.precedence)
            let start = Int(nodes[Int(left)].start)
            nodes[Int(left)].next = right
            left = try add(ExpressionNode(kind, first: left, start: start, end: Int(nodes[Int(right)].end)))
        }
        return left
    }

    /// Parses the right operand of `in`: a list of literals, or an expression.
    private mutating func inOperand() throws(Fault) -> Int32 {
        let start = lexer.position
        guard lexer.next == UInt8(ascii: "(") else {
            return try expression(above: ExpressionNode.Kind.in.precedence)
        }
        lexer.position += 1
        lexer.skipBlanks()
        let list = try add(ExpressionNode(.list, start: start, end: start))
        if lexer.eat(UInt8(ascii: ")")) {
            nodes[Int(list)].end = UInt32(lexer.position)
            return list
        }
        try enter()
        var last: Int32 = -1
        while true {
            let offset = lexer.position
            let member = last < 0 ? try expression() : try operand()
            // Anything but a literal makes this an expression in parentheses instead of a list.
            let isLiteral = nodes[Int(member)].kind == .literal || nodes[Int(member)].kind == .null
            let isMember = isLiteral && nodes[Int(member)].range.lowerBound == offset
            if !isMember && last >= 0 {
                throw Fault(.syntax, "expected a literal; a list may hold only literals", offset: offset)
            }
            lexer.skipBlanks()
            if !isMember {
                try lexer.expect(UInt8(ascii: ")"))
                leave()
                return member
            }
            if last < 0 {
                nodes[Int(list)].first = member
            } else {
                nodes[Int(last)].next = member
            }
            last = member
            budget += 1
            if lexer.eat(UInt8(ascii: ")")) {
                break
            }
            try lexer.expect(UInt8(ascii: ","))
            lexer.skipBlanks()
        }
        leave()
        nodes[Int(list)].end = UInt32(lexer.position)
        return list
    }

    /// Parses one operand.
    mutating func operand() throws(Fault) -> Int32 {
        let start = lexer.position
        let first = lexer.next
        switch first {
        case UInt8(ascii: "("):
            lexer.position += 1
            try enter()
            lexer.skipBlanks()
            let inner = try expression()
            lexer.skipBlanks()
            try lexer.expect(UInt8(ascii: ")"))
            leave()
            return inner
        case UInt8(ascii: "'"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"):
            if let type = try lexer.literal() {
                return try literal(type, from: start)
            }
            guard first == UInt8(ascii: "-") else {
                throw lexer.unexpected("expected an operand")
            }
            lexer.position += 1
            try enter()
            lexer.skipBlanks()
            // The operand of a unary operator includes operators of the same or a higher precedence.
            return try unary(.negate, from: start)
        case UInt8(ascii: "@") where version >= .v3, UInt8(ascii: "$") where version >= .v3:
            return try path()
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard version.isV4 else {
                throw lexer.unexpected("expected an operand")
            }
            return try json()
        default:
            return try word()
        }
    }

    private mutating func unary(_ kind: ExpressionNode.Kind, from start: Int) throws(Fault) -> Int32 {
        let inner = try expression(above: kind.precedence)
        leave()
        return try add(ExpressionNode(kind, first: inner, start: start, end: Int(nodes[Int(inner)].end)))
    }

    mutating func literal(_ type: LiteralType, from start: Int) throws(Fault) -> Int32 {
        try add(ExpressionNode(.literal, detail: type.rawValue, start: start, end: lexer.position))
    }

    /// Parses an operand that starts with a letter: a guid, a named literal, `not`, a call, a literal with a prefix, or
    /// a path.
    private mutating func word() throws(Fault) -> Int32 {
        let start = lexer.position
        guard let (end, isQualified) = lexer.endOfQualifiedName() else {
            throw lexer.unexpected(lexer.isAtEnd ? "expected an operand, found the end" : "expected an operand")
        }
        let following = lexer.byte(at: end)
        switch following {
        case UInt8(ascii: "'"):
            let type = try lexer.prefixedLiteral(prefixEnd: end, isQualified: isQualified)
            return try literal(type, from: start)
        case UInt8(ascii: "("):
            return try call(to: end, isQualified: isQualified)
        case UInt8(ascii: "-"):
            if let type = try lexer.literal() {
                return try literal(type, from: start)
            }
        case UInt8(ascii: "/"):
            return try path()
        default: break
        }
        if isQualified {
            return try path()
        }
        if end - start == 4, lexer.isAt("null") {
            lexer.position = end
            return try add(ExpressionNode(.null, start: start, end: end))
        }
        if let type = lexer.namedLiteral(to: end) {
            return try literal(type, from: start)
        }
        if following == 0x20 || following == 0x09, lexer.isWord("not", from: start, to: end),
            !lexer.isBinaryOperator(after: end)
        {
            lexer.position = end
            lexer.skipBlanks()
            try enter()
            return try unary(.not, from: start)
        }
        lexer.position = end
        return try add(ExpressionNode(.path, start: start, end: end))
    }
}
