import Soups

/// Parses the values of query options: lists, nested options, and the expressions in them by way of `ExpressionParser`.
///
/// One parser reads one value and everything nested in it, so that its limits hold for the whole. Blanks around commas
/// and semicolons are allowed.
struct OptionParser {
    var parser: ExpressionParser
    /// The bytes that are parsed, as the trees keep them.
    let source: [UInt8]
    /// Places of semicolons that belong to the words of a search.
    var escapedSemicolons: Set<Int> = []

    var lexer: ExpressionLexer {
        get { parser.lexer }
        _modify { yield &parser.lexer }
    }

    var version: ODataVersion { parser.version }

    init(_ bytes: UnsafeBufferPointer<UInt8>, source: [UInt8], version: ODataVersion, limits: Limits) throws(Fault) {
        parser = try ExpressionParser(bytes, version: version, limits: limits)
        self.source = source
    }

    /// Parses one expression; the next one starts with an empty arena.
    mutating func expression() throws(Fault) -> ODataExpression {
        let root = try parser.expression()
        let tree = ODataExpression(version: version, source: source, nodes: parser.nodes, root: root)
        parser.nodes = []
        return tree
    }

    /// Checks that everything was read.
    func end() throws(Fault) {
        if !lexer.isAtEnd {
            throw parser.trailing()
        }
    }

    /// Steps over a comma with blanks around it, if one comes.
    mutating func eatComma() -> Bool { eat(separator: UInt8(ascii: ",")) }

    mutating func eat(separator: UInt8) -> Bool {
        let start = lexer.position
        lexer.skipBlanks()
        guard lexer.eat(separator) else {
            lexer.position = start
            return false
        }
        lexer.skipBlanks()
        return true
    }

    mutating func name() throws(Fault) -> String {
        guard let end = lexer.endOfName() else {
            throw lexer.unexpected("expected a name")
        }
        let name = String(bytes: lexer.slice(lexer.position, end))
        lexer.position = end
        return name
    }

    /// Reads blanks, the word and blanks; leaves the position where it was if that is not what comes.
    mutating func eatWord(_ word: StaticString) -> Bool {
        let start = lexer.position
        if lexer.skipBlanks(), let end = lexer.endOfName(), lexer.isWord(word, from: lexer.position, to: end) {
            lexer.position = end
            if lexer.skipBlanks() {
                return true
            }
        }
        lexer.position = start
        return false
    }

    mutating func orderBy() throws(Fault) -> [OrderByItem] {
        var items: [OrderByItem] = []
        repeat {
            let expression = try expression()
            items.append(OrderByItem(expression: expression, isDescending: direction()))
        } while eatComma()
        return items
    }

    /// Reads `asc` or `desc` behind blanks; true for the latter.
    private mutating func direction() -> Bool {
        let start = lexer.position
        guard lexer.skipBlanks(), let end = lexer.endOfName() else {
            lexer.position = start
            return false
        }
        let isDescending = lexer.isWord("desc", from: lexer.position, to: end)
        guard isDescending || lexer.isWord("asc", from: lexer.position, to: end) else {
            lexer.position = start
            return false
        }
        lexer.position = end
        return isDescending
    }

    mutating func compute() throws(Fault) -> [ComputeItem] {
        var items: [ComputeItem] = []
        repeat {
            let expression = try expression()
            guard eatWord("as") else {
                throw parser.trailing()
            }
            items.append(ComputeItem(expression: expression, name: try name()))
        } while eatComma()
        return items
    }

    /// Reads digits as a number; beyond 64 bits they are an invalid literal.
    mutating func digits(allowingSign: Bool = false) throws(Fault) -> Int64 {
        let start = lexer.position
        if allowingSign {
            _ = lexer.eat(UInt8(ascii: "-"))
        }
        let first = lexer.position
        while lexer.next &- 0x30 < 10 {
            lexer.position += 1
        }
        guard lexer.position > first else {
            throw lexer.unexpected("expected a non-negative integer")
        }
        guard let value = ODataValue.int64(lexer.slice(start, lexer.position)) else {
            throw Fault(.invalidLiteral, "the number does not fit into 64 bits", offset: start)
        }
        return value
    }

    mutating func truth() throws(Fault) -> Bool {
        guard let end = lexer.endOfName(), let value = lexer.truthValue(to: end) else {
            throw lexer.unexpected("expected 'true' or 'false'")
        }
        lexer.position = end
        return value
    }
}
