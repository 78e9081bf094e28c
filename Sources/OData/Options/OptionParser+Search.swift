import Soups

extension OptionParser {
    /// Parses `$search` with the precedence NOT, AND, OR. Where an operand is required, these words are plain search
    /// terms.
    mutating func search() throws(Fault) -> SearchExpression {
        lexer.skipBlanks()
        if version == .v401, lexer.next == UInt8(ascii: "'") {
            return try incompleteSearch()
        }
        var nodes: [SearchExpression.Node] = []
        _ = try alternatives(&nodes)
        return SearchExpression(nodes: nodes)
    }

    private mutating func add(
        _ node: SearchExpression.Node, to nodes: inout [SearchExpression.Node]
    ) throws(Fault) -> Int {
        parser.budget -= 1
        if parser.budget < 0 {
            throw Fault(.limitExceeded, "the text has too many parts; raise Limits.nodes", offset: lexer.position)
        }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func alternatives(_ nodes: inout [SearchExpression.Node]) throws(Fault) -> Int {
        var left = try conjunction(&nodes)
        while eatOperator("OR") {
            let right = try conjunction(&nodes)
            left = try add(.or(left, right), to: &nodes)
        }
        return left
    }

    private mutating func conjunction(_ nodes: inout [SearchExpression.Node]) throws(Fault) -> Int {
        var left = try operand(&nodes)
        while eatOperator("AND") || eatBlankBeforeOperand() {
            let right = try operand(&nodes)
            left = try add(.and(left, right), to: &nodes)
        }
        return left
    }

    private mutating func operand(_ nodes: inout [SearchExpression.Node]) throws(Fault) -> Int {
        switch lexer.next {
        case UInt8(ascii: "("):
            lexer.position += 1
            try parser.enter()
            lexer.skipBlanks()
            let inner = try alternatives(&nodes)
            lexer.skipBlanks()
            try lexer.expect(UInt8(ascii: ")"))
            parser.leave()
            return inner
        case UInt8(ascii: "\""):
            return try add(.phrase(try phrase()), to: &nodes)
        default:
            let start = lexer.position
            if lexer.eat("NOT"), lexer.skipBlanks(), !isAtEndOfSearch {
                try parser.enter()
                let inner = try operand(&nodes)
                parser.leave()
                return try add(.not(inner), to: &nodes)
            }
            lexer.position = start
            return try add(.term(try term()), to: &nodes)
        }
    }

    private var isAtEndOfSearch: Bool {
        lexer.isAtEnd || lexer.next == UInt8(ascii: ")")
            || (lexer.next == UInt8(ascii: ";") && !escapedSemicolons.contains(lexer.position))
    }

    /// Reads spaces, the word and spaces if an operand follows. Otherwise the position does not change.
    private mutating func eatOperator(_ word: StaticString) -> Bool {
        let start = lexer.position
        if lexer.skipBlanks(), lexer.eat(word), lexer.skipBlanks(), !isAtEndOfSearch {
            return true
        }
        lexer.position = start
        return false
    }

    private mutating func eatBlankBeforeOperand() -> Bool {
        let start = lexer.position
        if lexer.skipBlanks(), !isAtEndOfSearch, !isOr {
            return true
        }
        lexer.position = start
        return false
    }

    /// Whether the operator `OR` follows.
    private var isOr: Bool {
        var ahead = self
        return ahead.lexer.eat("OR") && ahead.lexer.skipBlanks() && !ahead.isAtEndOfSearch
    }

    private mutating func phrase() throws(Fault) -> String {
        let start = lexer.position + 1
        lexer.position = start
        while !lexer.isAtEnd, lexer.next != UInt8(ascii: "\"") {
            lexer.position += 1
        }
        guard !lexer.isAtEnd else {
            throw lexer.unexpected("unterminated phrase")
        }
        guard lexer.position > start else {
            throw lexer.unexpected("empty phrase")
        }
        let text = String(bytes: lexer.slice(start, lexer.position))
        lexer.position += 1
        return text
    }

    /// Reads a word: any characters but spaces, parentheses, double quotes and semicolons. It must not start with a
    /// single quote.
    private mutating func term() throws(Fault) -> String {
        let start = lexer.position
        scan: while !lexer.isAtEnd {
            switch lexer.next {
            case UInt8(ascii: ";") where escapedSemicolons.contains(lexer.position): lexer.position += 1
            case 0x00...0x20, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: ";"): break scan
            case UInt8(ascii: "'") where lexer.position == start: break scan
            default: lexer.position += 1
            }
        }
        guard lexer.position > start else {
            throw lexer.unexpected("expected a word or phrase")
        }
        return String(bytes: lexer.slice(start, lexer.position))
    }

    /// Reads an incomplete search expression in single quotes (4.01), as one term. Clients send it while a user is
    /// still typing.
    private mutating func incompleteSearch() throws(Fault) -> SearchExpression {
        let start = lexer.position
        try lexer.skipString()
        let text =
            ODataExpression.value(of: lexer.slice(start, lexer.position), .string, version: version).canonicalText ?? ""
        return SearchExpression(nodes: [.term(text)])
    }
}
