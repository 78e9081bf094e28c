import Soups

/// Splits a match expression into tokens. O(n) in its length. Only `"`, `(`, `)`, a final `*` and `{soup:path}:` are
/// syntax in a word.
struct MatchLexer {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the next token. Inside NEAR a comma ends a word; elsewhere it is part of the word.
    mutating func next(insideNear: Bool = false) throws(Fault) -> MatchToken {
        while position < bytes.count, Self.isBlank(bytes[position]) {
            position += 1
        }
        guard position < bytes.count else {
            return MatchToken(kind: .end, start: bytes.count, end: bytes.count)
        }
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "("): return single(.open)
        case UInt8(ascii: ")"): return single(.close)
        case UInt8(ascii: ",") where insideNear: return single(.comma)
        case UInt8(ascii: "\""): return try phrase()
        case UInt8(ascii: "{"): return try field()
        case 0: throw Fault(.invalidMatchExpression, "NUL character in a match expression", offset: start)
        default: return try word(insideNear: insideNear)
        }
    }

    private mutating func single(_ kind: MatchToken.Kind) -> MatchToken {
        position += 1
        return MatchToken(kind: kind, start: position - 1, end: position)
    }

    private mutating func phrase() throws(Fault) -> MatchToken {
        let start = position
        var text: [UInt8] = []
        position += 1
        while true {
            guard position < bytes.count else {
                throw Fault(.invalidMatchExpression, "unterminated phrase: the closing quote is missing", offset: start)
            }
            let byte = bytes[position]
            position += 1
            if byte == 0 {
                throw Fault(.invalidMatchExpression, "NUL character in a match expression", offset: position - 1)
            }
            if byte == UInt8(ascii: "\"") {
                guard position < bytes.count, bytes[position] == byte else { break }
                position += 1
            }
            text.append(byte)
        }
        if text.allSatisfy(Self.isBlank) {
            throw Fault(.invalidMatchExpression, "empty phrase", offset: start)
        }
        var isPrefix = false
        if position < bytes.count, bytes[position] == UInt8(ascii: "*") {
            isPrefix = true
            position += 1
        }
        return MatchToken(kind: .phrase, start: start, end: position, text: text, isPrefix: isPrefix)
    }

    private mutating func word(insideNear: Bool) throws(Fault) -> MatchToken {
        let start = position
        while position < bytes.count, !Self.endsWord(bytes[position], insideNear: insideNear) {
            position += 1
        }
        var text = Array(bytes[start..<position])
        switch text {
        case Array("AND".utf8): return MatchToken(kind: .and, start: start, end: position)
        case Array("OR".utf8): return MatchToken(kind: .or, start: start, end: position)
        case Array("NOT".utf8): return MatchToken(kind: .not, start: start, end: position)
        case Array("NEAR".utf8) where opensNext: return MatchToken(kind: .near, start: start, end: position)
        default: break
        }
        guard text.contains(where: { $0 != UInt8(ascii: "*") }) else {
            return MatchToken(kind: .star, start: start, end: position)
        }
        let isPrefix = text.last == UInt8(ascii: "*")
        if isPrefix {
            text.removeLast()
        }
        return MatchToken(kind: .word, start: start, end: position, text: text, isPrefix: isPrefix)
    }

    /// Reads `{soup:path}:`; spaces before the last colon are allowed.
    private mutating func field() throws(Fault) -> MatchToken {
        let start = position
        func malformed(_ message: String) -> Fault { Fault(.invalidMatchExpression, message, offset: start) }
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "}")) else {
            throw malformed("the closing brace of a path is missing")
        }
        let parts = bytes[(start + 1)..<close].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw malformed("a path in a match expression is written {soup:path}:")
        }
        position = close + 1
        while position < bytes.count, Self.isBlank(bytes[position]) {
            position += 1
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            throw malformed("expected a colon and a term after {soup:path}")
        }
        position += 1
        let field = MatchField(soup: Array(parts[0]), path: Array(parts[1]), offset: start)
        return MatchToken(kind: .field, start: start, end: position, field: field)
    }

    /// Whether the next character that is not a space is an opening parenthesis.
    private var opensNext: Bool { bytes[position...].first { !Self.isBlank($0) } == UInt8(ascii: "(") }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func endsWord(_ byte: UInt8, insideNear: Bool) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\"")
            || byte == 0
            || (insideNear && byte == UInt8(ascii: ","))
    }
}
