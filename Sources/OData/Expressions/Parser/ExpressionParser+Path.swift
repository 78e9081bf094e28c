import Soups

/// Paths: `Address/City`, `$it/Name`, `Items(1)/Q`, `Ns.Type/Name`, `Tags/$count`, `Items/any(i:i/Q gt 1)`,
/// `Price/@Measures.Currency`.
extension ExpressionParser {
    /// Parses a path.
    mutating func path() throws(Fault) -> Int32 {
        let start = lexer.position
        let first = try firstSegment()
        let node = nodes[Int(first)]
        if lexer.next != UInt8(ascii: "/") {
            switch node.kind {
            case .alias, .it: return first
            case .name:
                if lexer.bytes[start] == UInt8(ascii: "$"),
                    !lexer.slice(start, node.range.upperBound).elementsEqual("$this".utf8)
                {
                    throw lexer.unexpected("expected '/'")
                }
                nodes[Int(first)].kind = .path
                return first
            default: break
            }
        }
        if node.kind == .alias || node.kind == .it {
            nodes[Int(first)].kind = .name
        }
        return try segments(after: first, from: start)
    }

    /// Parses the first segment: `$it`, `$this`, `$root`, `@alias`, `@Ns.Term` or a name.
    private mutating func firstSegment() throws(Fault) -> Int32 {
        let start = lexer.position
        switch lexer.next {
        case UInt8(ascii: "$"):
            for (word, kind) in [("$it", ExpressionNode.Kind.it), ("$this", .name), ("$root", .name)]
                as [(StaticString, ExpressionNode.Kind)]
            {
                guard lexer.isAt(word) else { continue }
                let end = start + word.utf8CodeUnitCount
                guard !Identifier.isASCIIPart(lexer.byte(at: end)) else { continue }
                lexer.position = end
                return try add(ExpressionNode(kind, start: start, end: end))
            }
            if lexer.isAt("$these") {
                throw Fault(.unsupported, "$these is not supported", offset: start)
            }
            lexer.position += 1
            throw lexer.unexpected("expected $it, $this or $root")
        case UInt8(ascii: "@"):
            return try annotation()
        default:
            return try namedSegment()
        }
    }

    /// Parses `@Ns.Term` with an optional `#qualifier`; a plain `@name` is an alias.
    mutating func annotation() throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position += 1
        guard let (end, isQualified) = lexer.endOfQualifiedName() else {
            throw lexer.unexpected("expected a name after '@'")
        }
        lexer.position = end
        if version.isV4, lexer.eat(UInt8(ascii: "#")) {
            guard let end = lexer.endOfName() else {
                throw lexer.unexpected("expected a qualifier after '#'")
            }
            lexer.position = end
            return try add(ExpressionNode(.name, start: start, end: end))
        }
        return try add(ExpressionNode(isQualified ? .name : .alias, start: start, end: end))
    }

    /// Parses a name, optionally with key values or arguments in parentheses.
    private mutating func namedSegment() throws(Fault) -> Int32 {
        let start = lexer.position
        guard let (end, isQualified) = lexer.endOfQualifiedName() else {
            throw lexer.unexpected("expected a name")
        }
        lexer.position = end
        let isFirst = !isInsidePath
        isInsidePath = false
        if lexer.next == UInt8(ascii: "(") {
            guard version >= .v3 else {
                throw isFirst
                    ? unknownCall((start, end, isQualified), at: end)
                    : lexer.unexpected("parentheses in a path require version 4")
            }
            return try arguments(of: start, isQualified: isQualified, isFirst: isFirst)
        }
        if isQualified, lexer.next != UInt8(ascii: "/"), isFirst {
            throw lexer.unexpected("expected '/' or '('")
        }
        return try add(ExpressionNode(.name, start: start, end: end))
    }

    /// Parses the segments after the first one and links them.
    mutating func segments(after first: Int32, from start: Int) throws(Fault) -> Int32 {
        let path = try add(ExpressionNode(.path, first: first, start: start, end: lexer.position))
        var last = first
        while lexer.next == UInt8(ascii: "/") {
            let end = lexer.position
            lexer.position += 1
            if lexer.next == UInt8(ascii: "$") {
                if lexer.eat("$count") {
                    return try count(of: finish(path, at: end), from: start)
                }
                guard version == .v401, lexer.isAt("$filter(") else {
                    throw lexer.unexpected("this path segment is not allowed in an expression")
                }
                let segment = try filterSegment()
                nodes[Int(last)].next = segment
                last = segment
                continue
            }
            if lexer.next == UInt8(ascii: "@") {
                let segment = try annotation()
                nodes[Int(segment)].kind = .name
                nodes[Int(last)].next = segment
                last = segment
                continue
            }
            if let (wordEnd, isQualified) = lexer.endOfQualifiedName(), !isQualified,
                lexer.byte(at: wordEnd) == UInt8(ascii: "(")
            {
                let isAny = lexer.isWord("any", from: lexer.position, to: wordEnd)
                if isAny || lexer.isWord("all", from: lexer.position, to: wordEnd) {
                    guard version >= .v3 else {
                        throw Fault(.unsupported, "'any' and 'all' require version 3.0", offset: lexer.position)
                    }
                    lexer.position = wordEnd + 1
                    return try lambda(isAny ? .any : .all, over: finish(path, at: end), from: start)
                }
                if lexer.isWord("aggregate", from: lexer.position, to: wordEnd) {
                    throw Fault(.unsupported, "aggregate inside an expression is not supported", offset: lexer.position)
                }
            }
            isInsidePath = true
            let segment = try namedSegment()
            nodes[Int(last)].next = segment
            last = segment
        }
        return finish(path, at: lexer.position)
    }

    /// Sets the end of a path. A path of a single plain name needs no segment nodes.
    private mutating func finish(_ path: Int32, at end: Int) -> Int32 {
        nodes[Int(path)].end = UInt32(end)
        let first = nodes[Int(path)].first
        if nodes[Int(first)].next < 0, nodes[Int(first)].kind == .name {
            nodes[Int(path)].first = -1
        }
        return path
    }

    private mutating func filterSegment() throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position += 8
        try enter()
        let predicate = try expression()
        try lexer.expect(UInt8(ascii: ")"))
        leave()
        // A key may follow the filtered collection. Its values are the nodes after the predicate.
        if lexer.next == UInt8(ascii: "(") {
            nodes[Int(predicate)].next = try keyValues(after: (start, lexer.position, false))
        }
        return try add(ExpressionNode(.filterSegment, first: predicate, start: start, end: lexer.position))
    }

    /// Parses `$count` after a path; only `($filter=...)` may follow it.
    private mutating func count(of path: Int32, from start: Int) throws(Fault) -> Int32 {
        guard version.isV4, !Identifier.isASCIIPart(lexer.next) else {
            throw lexer.unexpected("this path segment is not allowed in an expression")
        }
        if lexer.next == UInt8(ascii: "(") {
            guard version == .v401 else {
                throw lexer.unexpected("options of $count require version 4.01")
            }
            lexer.position += 1
            try filterOption()
            try enter()
            nodes[Int(path)].next = try expression()
            let end = lexer.position
            if lexer.eat(UInt8(ascii: ";")) {
                try filterOption()
                throw Fault(.syntax, "$filter is given twice", offset: end + 1)
            }
            try lexer.expect(UInt8(ascii: ")"))
            leave()
        }
        if lexer.next == UInt8(ascii: "/") {
            throw lexer.unexpected("nothing may follow $count")
        }
        return try add(ExpressionNode(.count, first: path, start: start, end: lexer.position))
    }

    /// Reads `$filter=` after `$count(`, by the rules for names of options in version 4.01. Throws `unsupported` for
    /// `$search`, the only other option that is allowed there.
    private mutating func filterOption() throws(Fault) {
        let start = lexer.position
        _ = lexer.eat(UInt8(ascii: "$"))
        let end = lexer.endOfName() ?? start
        let isOption = lexer.byte(at: end) == UInt8(ascii: "=")
        if isOption, lexer.isWord("search", from: lexer.position, to: end) {
            throw Fault(.unsupported, "$search inside an expression is not supported", offset: start)
        }
        guard isOption, lexer.isWord("filter", from: lexer.position, to: end) else {
            throw Fault(.syntax, "expected $filter=", offset: start)
        }
        lexer.position = end + 1
    }

    /// Parses the inside of `any(` or `all(`.
    private mutating func lambda(_ kind: ExpressionNode.Kind, over path: Int32, from start: Int) throws(Fault) -> Int32
    {
        lambdas += 1
        guard lambdas <= maximumLambdas else {
            throw Fault(
                .limitExceeded, "'any' and 'all' are nested deeper than \(maximumLambdas) levels",
                offset: lexer.position)
        }
        try enter()
        lexer.skipBlanks()
        if lexer.eat(UInt8(ascii: ")")) {
            // `all()` is an error at the parenthesis, because a predicate is missing there.
            guard kind == .any else {
                throw lexer.unexpected("'all' needs a predicate")
            }
        } else {
            guard let end = lexer.endOfName() else {
                throw lexer.unexpected("expected a variable")
            }
            let variable = try add(ExpressionNode(.name, start: lexer.position, end: end))
            lexer.position = end
            lexer.skipBlanks()
            try lexer.expect(UInt8(ascii: ":"))
            lexer.skipBlanks()
            nodes[Int(path)].next = variable
            let predicate = try expression()
            nodes[Int(variable)].next = predicate
            lexer.skipBlanks()
            try lexer.expect(UInt8(ascii: ")"))
        }
        leave()
        lambdas -= 1
        if lexer.next == UInt8(ascii: "/") {
            throw lexer.unexpected("nothing may follow 'any' and 'all'")
        }
        return try add(ExpressionNode(kind, first: path, start: start, end: lexer.position))
    }
}
