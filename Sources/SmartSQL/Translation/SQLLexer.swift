import Soups

/// Cuts a Smart SQL text into tokens as SQLite's own tokenizer does, with `{soup:path}` besides. One pass, no look
/// back, no allocation.
///
/// Source: https://sqlite.org/lang_expr.html (literals, parameters), https://sqlite.org/lang_comment.html.
struct SQLLexer {
    let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Takes the next token, blanks and comments passed over.
    /// - Throws: `sqlError` for a string or quoted name without its end and for NUL; `invalidReference`; each with its
    ///   offset.
    mutating func next() throws(Fault) -> SQLToken {
        skipBlanks()
        let start = place
        guard start < bytes.count else {
            return SQLToken(kind: .end, start: start, end: start)
        }
        let byte = bytes[start]
        switch byte {
        case UInt8(ascii: "'"): return try quoted(.string, by: byte)
        case UInt8(ascii: "\""), UInt8(ascii: "`"): return try quoted(.quotedName, by: byte)
        case UInt8(ascii: "["): return try bracketed()
        case UInt8(ascii: "{"): return try reference()
        case UInt8(ascii: "}"): throw Fault(.invalidReference, "'}' without '{'", offset: start)
        case UInt8(ascii: "("): return take(1, .open)
        case UInt8(ascii: ")"): return take(1, .close)
        case UInt8(ascii: ","): return take(1, .comma)
        case UInt8(ascii: ";"): return take(1, .semicolon)
        case UInt8(ascii: "."): return isDigit(at: start + 1) ? number() : take(1, .dot)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "?"): return numberedParameter()
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"): return try namedParameter()
        case 0: throw Fault(.sqlError, "NUL character in the text", offset: start)
        default: return Self.continuesName(byte) ? word() : take(1, .other)
        }
    }

    private mutating func take(_ count: Int, _ kind: SQLToken.Kind) -> SQLToken {
        place += count
        return SQLToken(kind: kind, start: place - count, end: place)
    }

    private mutating func skipBlanks() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: place += 1
            case UInt8(ascii: "-") where byte(at: place + 1) == UInt8(ascii: "-"):
                place += 2
                while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0 {
                    place += 1
                }
            case UInt8(ascii: "/") where byte(at: place + 1) == UInt8(ascii: "*") && place + 2 < bytes.count:
                // A comment may run to the end of the text, as in SQLite.
                place += 3
                while place < bytes.count,
                    !(bytes[place] == UInt8(ascii: "/") && bytes[place - 1] == UInt8(ascii: "*")), bytes[place] != 0
                {
                    place += 1
                }
                if place < bytes.count, bytes[place] != 0 {
                    place += 1
                }
            default: return
            }
        }
    }

    private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private func isDigit(at place: Int) -> Bool { byte(at: place).map { (0x30...0x39).contains($0) } ?? false }

    /// Reads to the closing quote; two quotes stand for one.
    private mutating func quoted(_ kind: SQLToken.Kind, by quote: UInt8) throws(Fault) -> SQLToken {
        let start = place
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == 0 {
                throw Fault(.sqlError, "NUL character in the text", offset: place - 1)
            }
            guard byte == quote else { continue }
            guard self.byte(at: place) == quote else {
                return SQLToken(kind: kind, start: start, end: place)
            }
            place += 1
        }
        throw Fault(
            .sqlError,
            kind == .string ? "unterminated string literal" : "the closing quote of a name is missing",
            offset: start)
    }

    private mutating func bracketed() throws(Fault) -> SQLToken {
        let start = place
        while place < bytes.count {
            if bytes[place] == 0 {
                throw Fault(.sqlError, "NUL character in the text", offset: place)
            }
            place += 1
            if bytes[place - 1] == UInt8(ascii: "]") {
                return SQLToken(kind: .quotedName, start: start, end: place)
            }
        }
        throw Fault(.sqlError, "the closing bracket of a name is missing", offset: start)
    }

    private mutating func reference() throws(Fault) -> SQLToken {
        let start = place
        place += 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "}"):
                place += 1
                return SQLToken(kind: .reference, start: start, end: place)
            case UInt8(ascii: "{"), 0:
                throw Fault(.invalidReference, "the closing brace of a reference is missing", offset: start)
            default: place += 1
            }
        }
        throw Fault(.invalidReference, "the closing brace of a reference is missing", offset: start)
    }

    private mutating func number() -> SQLToken {
        let start = place
        while place < bytes.count {
            let byte = bytes[place]
            let signed = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            if signed, bytes[place - 1] | 0x20 == UInt8(ascii: "e"), place > start,
                bytes[start] != UInt8(ascii: "0") || self.byte(at: start + 1).map({ $0 | 0x20 }) != UInt8(ascii: "x")
            {
                place += 1
            } else if Self.continuesName(byte) || byte == UInt8(ascii: ".") {
                place += 1
            } else {
                break
            }
        }
        return SQLToken(kind: .number, start: start, end: place)
    }

    private mutating func word() -> SQLToken {
        let start = place
        while place < bytes.count, Self.continuesName(bytes[place]) {
            place += 1
        }
        if place == start + 1, bytes[start] | 0x20 == UInt8(ascii: "x"), byte(at: place) == UInt8(ascii: "'") {
            place += 1
            while place < bytes.count, bytes[place] != UInt8(ascii: "'"), bytes[place] != 0 {
                place += 1
            }
            if place < bytes.count, bytes[place] != 0 {
                place += 1
            }
            return SQLToken(kind: .blob, start: start, end: place)
        }
        return SQLToken(kind: .word, start: start, end: place, keyword: .spelled(bytes[start..<place]))
    }

    private mutating func numberedParameter() -> SQLToken {
        let start = place
        place += 1
        while isDigit(at: place) {
            place += 1
        }
        return SQLToken(kind: .parameter, start: start, end: place)
    }

    /// `:name`, `@name`, `$name`, also with `::` in it and one `(...)` at its end.
    private mutating func namedParameter() throws(Fault) -> SQLToken {
        let start = place
        var hasName = false
        place += 1
        while place < bytes.count {
            if Self.continuesName(bytes[place]) {
                hasName = true
                place += 1
            } else if bytes[place] == UInt8(ascii: ":"), byte(at: place + 1) == UInt8(ascii: ":") {
                place += 2
            } else {
                break
            }
        }
        guard hasName else {
            return SQLToken(kind: .other, start: start, end: place)
        }
        if byte(at: place) == UInt8(ascii: "(") {
            let close = bytes[place...].firstIndex {
                $0 == UInt8(ascii: ")") || $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0
            }
            guard let close, bytes[close] == UInt8(ascii: ")") else {
                throw Fault(.sqlError, "the closing parenthesis of a parameter name is missing", offset: start)
            }
            place = close + 1
        }
        return SQLToken(kind: .parameter, start: start, end: place)
    }

    /// Letters, digits, `_`, `$` and everything beyond ASCII.
    static func continuesName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}
