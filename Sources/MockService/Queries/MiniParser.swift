import JSONText

/// Reads the part of SOQL that the mock service answers. Written apart from the target `SOQL`, so that a mistake there
/// is seen here.
///
/// select list with one level of sub-queries, from, where, order by, limit, offset. Everything else is refused with its
/// byte offset.
struct MiniParser {
    static let deepest = 50

    let tables: MockTables
    let refusesMixedConditions: Bool
    let tokens: [MiniToken]
    var index = 0

    init(_ query: String, _ tables: MockTables, refusesMixedConditions: Bool) throws(MockError) {
        self.tables = tables
        self.refusesMixedConditions = refusesMixedConditions
        tokens = try MiniToken.tokens(of: query)
    }

    mutating func parse() throws(MockError) -> MiniQuery {
        let query = try select(parent: nil).query
        guard case .end = token.kind else {
            throw unexpected()
        }
        return query
    }

    // MARK: - Tokens

    var token: MiniToken { tokens[index] }

    static func unexpected(_ what: String, at offset: Int) -> MockError {
        MockError(400, "MALFORMED_QUERY", "unexpected \(what) at offset \(offset)")
    }

    func unexpected() -> MockError {
        let what =
            switch token.kind {
            case .word(let text), .literal(let text), .sign(let text): "token: '\(text)'"
            case .text: "text"
            case .end: "end of the query"
            }
        return Self.unexpected(what, at: token.offset)
    }

    mutating func advance() { index = min(index + 1, tokens.count - 1) }

    /// Takes a keyword if it is next.
    mutating func take(word: String) -> Bool {
        guard case .word(let text) = token.kind, ASCIICase.lower(text) == word else { return false }
        advance()
        return true
    }

    mutating func take(sign: String) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    mutating func expect(word: String) throws(MockError) {
        guard take(word: word) else {
            throw unexpected()
        }
    }

    mutating func expect(sign: String) throws(MockError) {
        guard take(sign: sign) else {
            throw unexpected()
        }
    }

    /// A name, and where it is.
    mutating func name() throws(MockError) -> (text: String, offset: Int) {
        guard case .word(let text) = token.kind else {
            throw unexpected()
        }
        defer { advance() }
        return (text, token.offset)
    }

    /// A field of a table.
    mutating func field(of table: Int) throws(MockError) -> Int {
        let name = try name()
        return try position(of: name.text, table, name.offset)
    }

    func position(of name: String, _ table: Int, _ offset: Int) throws(MockError) -> Int {
        let object = tables[table].object
        guard let position = object.position(of: name) else {
            throw MockError(
                400, "INVALID_FIELD", "No such column '\(name)' on entity '\(object.name)' at offset \(offset)")
        }
        return position
    }
}
