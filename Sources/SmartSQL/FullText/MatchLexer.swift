import Soups

/// Cuts a match expression into tokens, one at a time. Linear; nothing but `"`, `(`, `)`, a final `*` and
/// `{soup:path}:` is syntax in a word.
struct MatchLexer {
    let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Takes the next token. Inside NEAR a comma ends a word, elsewhere it is part of it.
    mutating func next(insideNear: Bool = false) throws(Fault) -> MatchToken {
        while place < bytes.count, Self.isBlank(bytes[place]) {
            place += 1
        }
        guard place < bytes.count else {
            return MatchToken(kind: .end, start: bytes.count, end: bytes.count)
        }
        let start = place
        switch bytes[place] {
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
        place += 1
        return MatchToken(kind: kind, start: place - 1, end: place)
    }

    private mutating func phrase() throws(Fault) -> MatchToken {
        let start = place
        var text: [UInt8] = []
        place += 1
        while true {
            guard place < bytes.count else {
                throw Fault(.invalidMatchExpression, "unterminated phrase: the closing quote is missing", offset: start)
            }
            let byte = bytes[place]
            place += 1
            if byte == 0 {
                throw Fault(.invalidMatchExpression, "NUL character in a match expression", offset: place - 1)
            }
            if byte == UInt8(ascii: "\"") {
                guard place < bytes.count, bytes[place] == byte else { break }
                place += 1
            }
            text.append(byte)
        }
        if text.allSatisfy(Self.isBlank) {
            throw Fault(.invalidMatchExpression, "empty phrase", offset: start)
        }
        var isPrefix = false
        if place < bytes.count, bytes[place] == UInt8(ascii: "*") {
            isPrefix = true
            place += 1
        }
        return MatchToken(kind: .phrase, start: start, end: place, text: text, isPrefix: isPrefix)
    }

    private mutating func word(insideNear: Bool) throws(Fault) -> MatchToken {
        let start = place
        while place < bytes.count, !Self.endsWord(bytes[place], insideNear: insideNear) {
            place += 1
        }
        if place < bytes.count, bytes[place] == 0 {
            throw Fault(.invalidMatchExpression, "NUL character in a match expression", offset: place)
        }
        var text = Array(bytes[start..<place])
        switch text {
        case Array("AND".utf8): return MatchToken(kind: .and, start: start, end: place)
        case Array("OR".utf8): return MatchToken(kind: .or, start: start, end: place)
        case Array("NOT".utf8): return MatchToken(kind: .not, start: start, end: place)
        case Array("NEAR".utf8) where opensNext: return MatchToken(kind: .near, start: start, end: place)
        case [UInt8(ascii: "*")]: return MatchToken(kind: .star, start: start, end: place)
        default: break
        }
        let isPrefix = text.last == UInt8(ascii: "*")
        if isPrefix {
            text.removeLast()
        }
        return MatchToken(kind: .word, start: start, end: place, text: text, isPrefix: isPrefix)
    }

    /// Reads `{soup:path}:`, blanks before the last colon allowed.
    private mutating func field() throws(Fault) -> MatchToken {
        let start = place
        func malformed(_ message: String) -> Fault { Fault(.invalidMatchExpression, message, offset: start) }
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "}")) else {
            throw malformed("the closing brace of a path is missing")
        }
        let parts = bytes[(start + 1)..<close].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw malformed("a path in a match expression is written {soup:path}:")
        }
        place = close + 1
        while place < bytes.count, Self.isBlank(bytes[place]) {
            place += 1
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
            throw malformed("expected a colon and a term after {soup:path}")
        }
        place += 1
        let field = MatchField(soup: Array(parts[0]), path: Array(parts[1]), offset: start)
        return MatchToken(kind: .field, start: start, end: place, field: field)
    }

    /// Whether the next thing that is no blank is an opening parenthesis.
    private var opensNext: Bool { bytes[place...].first { !Self.isBlank($0) } == UInt8(ascii: "(") }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func endsWord(_ byte: UInt8, insideNear: Bool) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\"")
            || byte == 0
            || (insideNear && byte == UInt8(ascii: ","))
    }
}
