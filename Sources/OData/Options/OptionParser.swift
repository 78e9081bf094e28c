import Soups

/// Parses the values of query options: lists, nested options, and expressions by means of `ExpressionParser`.
///
/// One parser reads one value with everything nested in it, so that the limits apply to the whole value. Spaces around
/// commas and semicolons are allowed.
struct OptionParser {
    var parser: ExpressionParser
    /// A copy of the parsed bytes, which the expressions keep.
    let source: [UInt8]
    /// The offsets of percent-encoded semicolons, which are part of the words of a search.
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

    /// Parses one expression. The next expression starts with an empty array of nodes.
    mutating func expression() throws(Fault) -> ODataExpression {
        let root = try parser.expression()
        let tree = ODataExpression(version: version, source: source, nodes: parser.nodes, root: root)
        parser.nodes = []
        return tree
    }

    /// Throws `syntax` unless the whole text was read.
    func end() throws(Fault) {
        if !lexer.isAtEnd {
            throw parser.trailing()
        }
    }

    /// Skips a comma with spaces around it; returns whether there was one.
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

    /// Reads spaces, the word and spaces. Otherwise the position does not change.
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

    /// Reads spaces and `asc` or `desc`; returns true for `desc`.
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
            let offset = lexer.position
            items.append(ComputeItem(expression: expression, name: try name(), offset: offset))
        } while eatComma()
        return items
    }

    /// Reads digits as a number. Throws `invalidLiteral` for a number that does not fit into 64 bits.
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
