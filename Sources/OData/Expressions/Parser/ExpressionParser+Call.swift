import Soups

/// Calls: canonical functions, `cast` and `isof`, `case`, and parentheses after a path segment.
extension ExpressionParser {
    /// Parses an operand that starts with a name and a parenthesis. The position is at the name, which ends at `end`.
    mutating func call(to end: Int, isQualified: Bool) throws(Fault) -> Int32 {
        let start = lexer.position
        let ignoringCase = version == .v401
        if let function = CanonicalFunction.find(lexer.slice(start, end), ignoringCase: ignoringCase) {
            guard function.isKnown(in: version) else {
                throw Fault(
                    .unsupported, "the function \(function.name) does not exist in version \(version.rawValue)",
                    offset: start)
            }
            return try call(function, to: end)
        }
        if !isQualified {
            if lexer.isWord("cast", from: start, to: end) {
                return try typeCall(.cast, to: end)
            }
            if lexer.isWord("isof", from: start, to: end) {
                return try typeCall(.isof, to: end)
            }
            if lexer.isWord("case", from: start, to: end) {
                guard version == .v401 else {
                    throw Fault(.unsupported, "'case' requires version 4.01", offset: start)
                }
                return try conditional(to: end)
            }
        }
        return try path()
    }

    private mutating func call(_ function: CanonicalFunction, to end: Int) throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position = end + 1
        try enter()
        lexer.skipBlanks()
        var count = 0
        var first: Int32 = -1
        var last: Int32 = -1
        if lexer.next != UInt8(ascii: ")") {
            repeat {
                guard count < function.arity.upperBound else {
                    lexer.position -= count > 0 ? 1 : 0
                    throw lexer.unexpected("too many arguments for \(function.name)")
                }
                lexer.skipBlanks()
                let argument = try expression()
                if last < 0 {
                    first = argument
                } else {
                    nodes[Int(last)].next = argument
                }
                last = argument
                count += 1
                lexer.skipBlanks()
            } while lexer.eat(UInt8(ascii: ","))
        }
        guard count >= function.arity.lowerBound else {
            throw lexer.unexpected("too few arguments for \(function.name)")
        }
        try lexer.expect(UInt8(ascii: ")"))
        leave()
        return try add(
            ExpressionNode(.call, detail: function.rawValue, first: first, start: start, end: lexer.position))
    }

    /// Parses `cast(T)`, `cast(x,T)`, and `isof` in the same forms. Up to version 3.0 the type is in quotes.
    private mutating func typeCall(_ kind: ExpressionNode.Kind, to end: Int) throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position = end + 1
        try enter()
        lexer.skipBlanks()
        var operand: Int32 = -1
        if let typeEnd = endOfType(), isBracketBehind(typeEnd) {
            // Without an operand the instance itself is cast or tested.
        } else {
            operand = try expression()
            lexer.skipBlanks()
            try lexer.expect(UInt8(ascii: ","))
            lexer.skipBlanks()
        }
        guard let typeEnd = endOfType() else {
            throw lexer.unexpected("expected a type")
        }
        let quote = version.isV4 ? 0 : 1
        let type = try add(ExpressionNode(.name, start: lexer.position + quote, end: typeEnd - quote))
        lexer.position = typeEnd
        lexer.skipBlanks()
        try lexer.expect(UInt8(ascii: ")"))
        leave()
        if operand >= 0 {
            nodes[Int(operand)].next = type
        }
        return try add(ExpressionNode(kind, first: operand >= 0 ? operand : type, start: start, end: lexer.position))
    }

    private func isBracketBehind(_ offset: Int) -> Bool {
        var ahead = lexer
        ahead.position = offset
        ahead.skipBlanks()
        return ahead.next == UInt8(ascii: ")")
    }

    /// The end of the type name at the position: `Ns.T`, `T`, `Collection(Ns.T)`, in quotes up to version 3.0.
    private func endOfType() -> Int? {
        var ahead = lexer
        if !version.isV4, !ahead.eat(UInt8(ascii: "'")) {
            return nil
        }
        let isCollection = ahead.eat("Collection(")
        guard let (end, _) = ahead.endOfQualifiedName() else { return nil }
        ahead.position = end
        if isCollection, !ahead.eat(UInt8(ascii: ")")) {
            return nil
        }
        if !version.isV4, !ahead.eat(UInt8(ascii: "'")) {
            return nil
        }
        return ahead.position
    }

    /// Parses `case(condition:value,...)`.
    private mutating func conditional(to end: Int) throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position = end + 1
        try enter()
        var first: Int32 = -1
        var last: Int32 = -1
        repeat {
            lexer.skipBlanks()
            let offset = lexer.position
            let condition = try expression()
            lexer.skipBlanks()
            try lexer.expect(UInt8(ascii: ":"))
            lexer.skipBlanks()
            let value = try expression()
            nodes[Int(condition)].next = value
            let branch = try add(ExpressionNode(.branch, first: condition, start: offset, end: lexer.position))
            if last < 0 {
                first = branch
            } else {
                nodes[Int(last)].next = branch
            }
            last = branch
            lexer.skipBlanks()
        } while lexer.eat(UInt8(ascii: ","))
        try lexer.expect(UInt8(ascii: ")"))
        leave()
        return try add(ExpressionNode(.conditional, first: first, start: start, end: lexer.position))
    }

    /// Parses the parentheses after a segment: key values (`Items(1)`, `Items(A=1,B=2)`) or named arguments of a
    /// function.
    ///
    /// Both look the same without metadata. A qualified name or empty parentheses mean a function, anything else means
    /// a key. A value without a name after a type in a path is a key of the instances that have the type.
    mutating func arguments(of start: Int, isQualified: Bool, isFirst: Bool) throws(Fault) -> Int32 {
        let end = lexer.position
        let first = try keyValues(after: (start, end, isQualified), mayFollowType: !isFirst && version.isV4)
        if first < 0, isFirst, isLambdaWord(from: start, to: end) {
            throw lambdaWithoutPath(at: end)
        }
        let name = try add(ExpressionNode(.name, start: start, end: end))
        nodes[Int(name)].next = first
        let isKeyOfType = first >= 0 && nodes[Int(first)].kind != .argument
        let isCall = (isQualified && !isKeyOfType) || first < 0
        let segment = try add(
            ExpressionNode(isCall ? .functionSegment : .keySegment, first: name, start: start, end: lexer.position))
        guard version.isV4, lexer.next == UInt8(ascii: "("), first < 0 || nodes[Int(first)].kind == .argument else {
            return segment
        }
        return try key(after: segment)
    }

    /// Parses the key after the arguments of a function: `Ns.F(x=1)(2)`.
    private mutating func key(after function: Int32) throws(Fault) -> Int32 {
        nodes[Int(function)].kind = .functionSegment
        let start = Int(nodes[Int(function)].start)
        let end = lexer.position
        let first = try keyValues(after: (start, end, false))
        guard first >= 0 else {
            throw Fault(.syntax, "expected the values of a key", offset: end + 1)
        }
        nodes[Int(function)].next = first
        return try add(ExpressionNode(.keySegment, first: function, start: start, end: lexer.position))
    }

    private func isLambdaWord(from start: Int, to end: Int) -> Bool {
        lexer.isWord("any", from: start, to: end) || lexer.isWord("all", from: start, to: end)
    }

    private func lambdaWithoutPath(at offset: Int) -> Fault {
        Fault(.syntax, "'any' and 'all' must follow a path", offset: offset)
    }

    /// Parses values in parentheses: one literal or alias without a name, or named values. Returns the first node of
    /// them.
    ///
    /// - Parameter mayFollowType: Whether a qualified name may be a type, after which a key may follow.
    mutating func keyValues(
        after name: (start: Int, end: Int, isQualified: Bool), mayFollowType: Bool = false
    ) throws(Fault) -> Int32 {
        lexer.position += 1
        try enter()
        lexer.skipBlanks()
        var first: Int32 = -1
        var last: Int32 = -1
        var names: Set<ByteKey> = []
        if lexer.next != UInt8(ascii: ")") {
            repeat {
                lexer.skipBlanks()
                let offset = lexer.position
                let argument: Int32
                if let nameEnd = lexer.endOfName(), lexer.byte(at: nameEnd) == UInt8(ascii: "=") {
                    guard names.insert(ByteKey(String(bytes: lexer.slice(offset, nameEnd)))).inserted else {
                        throw Fault(.syntax, "duplicate name", offset: offset)
                    }
                    lexer.position = nameEnd + 1
                    let value = try expression()
                    argument = try add(ExpressionNode(.argument, first: value, start: offset, end: nameEnd))
                } else {
                    argument = try expression()
                    let kind = nodes[Int(argument)].kind
                    lexer.skipBlanks()
                    guard !name.isQualified || mayFollowType, last < 0, kind == .literal || kind == .alias,
                        lexer.next == UInt8(ascii: ")") || lexer.isAtEnd
                    else {
                        throw unknownCall(name, at: offset)
                    }
                }
                if last < 0 {
                    first = argument
                } else {
                    nodes[Int(last)].next = argument
                }
                last = argument
                lexer.skipBlanks()
            } while lexer.eat(UInt8(ascii: ","))
        }
        try lexer.expect(UInt8(ascii: ")"))
        leave()
        return first
    }

    /// The fault for positional arguments after an unknown name: `any` and `all` without a path, or an unknown
    /// function.
    func unknownCall(_ name: (start: Int, end: Int, isQualified: Bool), at offset: Int) -> Fault {
        let (start, end, isQualified) = name
        if isLambdaWord(from: start, to: end) {
            return lambdaWithoutPath(at: end)
        }
        if lexer.isWord("not", from: start, to: end) {
            return Fault(.syntax, "expected a space after 'not'", offset: end)
        }
        if isQualified {
            return Fault(.syntax, "expected named arguments for this function", offset: offset)
        }
        return Fault(.unsupported, "unknown function", offset: start)
    }
}
