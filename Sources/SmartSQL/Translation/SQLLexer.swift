import Soups

/// Splits a Smart SQL text into tokens like SQLite's tokenizer, plus `{soup:path}`. One pass without backtracking and
/// allocations.
///
/// Source: https://sqlite.org/lang_expr.html (literals, parameters), https://sqlite.org/lang_comment.html.
struct SQLLexer {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the next token; skips spaces and comments.
    /// - Throws: `sqlError` for an unterminated string or quoted name and for NUL; `invalidReference`; each with its
    ///   offset.
    mutating func next() throws(Fault) -> SQLToken {
        skipBlanks()
        let start = position
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
        case 0: throw Self.null(at: start)
        default: return Self.continuesName(byte) ? try word() : take(1, .other)
        }
    }

    private mutating func take(_ count: Int, _ kind: SQLToken.Kind) -> SQLToken {
        position += count
        return SQLToken(kind: kind, start: position - count, end: position)
    }

    private mutating func skipBlanks() {
        /// The end of the last blank. SQLite takes a vertical tab as a blank only right after another one.
        var blankEnd: Int?
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
                position += 1
                blankEnd = position
            case 0x0B where blankEnd == position:
                position += 1
                blankEnd = position
            // A byte order mark is a blank.
            case 0xEF where byte(at: position + 1) == 0xBB && byte(at: position + 2) == 0xBF: position += 3
            case UInt8(ascii: "-") where byte(at: position + 1) == UInt8(ascii: "-"):
                position += 2
                while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0 {
                    position += 1
                }
            case UInt8(ascii: "/")
            where byte(at: position + 1) == UInt8(ascii: "*") && (byte(at: position + 2) ?? 0) != 0:
                // A comment may run to the end of the text, as in SQLite.
                position += 3
                while position < bytes.count,
                    !(bytes[position] == UInt8(ascii: "/") && bytes[position - 1] == UInt8(ascii: "*")),
                    bytes[position] != 0
                {
                    position += 1
                }
                if position < bytes.count, bytes[position] != 0 {
                    position += 1
                }
            default: return
            }
        }
    }

    private func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isDigit(at position: Int) -> Bool { byte(at: position).map { (0x30...0x39).contains($0) } ?? false }

    /// Reads up to the closing quote; two quotes mean one.
    private mutating func quoted(_ kind: SQLToken.Kind, by quote: UInt8) throws(Fault) -> SQLToken {
        let start = position
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0 {
                throw Self.null(at: position - 1)
            }
            guard byte == quote else { continue }
            guard self.byte(at: position) == quote else {
                return SQLToken(kind: kind, start: start, end: position)
            }
            position += 1
        }
        throw Fault(
            .sqlError,
            kind == .string ? "unterminated string literal" : "the closing quote of a name is missing",
            offset: start)
    }

    private mutating func bracketed() throws(Fault) -> SQLToken {
        let start = position
        while position < bytes.count {
            if bytes[position] == 0 {
                throw Fault(.sqlError, "NUL character in the text", offset: position)
            }
            position += 1
            if bytes[position - 1] == UInt8(ascii: "]") {
                return SQLToken(kind: .quotedName, start: start, end: position)
            }
        }
        throw Fault(.sqlError, "the closing bracket of a name is missing", offset: start)
    }

    private mutating func reference() throws(Fault) -> SQLToken {
        let start = position
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "}"):
                position += 1
                return SQLToken(kind: .reference, start: start, end: position)
            case UInt8(ascii: "{"), 0:
                throw Fault(.invalidReference, "the closing brace of a reference is missing", offset: start)
            default: position += 1
            }
        }
        throw Fault(.invalidReference, "the closing brace of a reference is missing", offset: start)
    }

    /// The sign of an exponent, and what follows it, are tokens of their own: the text stays the same.
    private mutating func number() -> SQLToken {
        let start = position
        while position < bytes.count, Self.continuesName(bytes[position]) || bytes[position] == UInt8(ascii: ".") {
            position += 1
        }
        return SQLToken(kind: .number, start: start, end: position)
    }

    private mutating func word() throws(Fault) -> SQLToken {
        let start = position
        while position < bytes.count, Self.continuesName(bytes[position]) {
            position += 1
        }
        if position == start + 1, bytes[start] | 0x20 == UInt8(ascii: "x"), byte(at: position) == UInt8(ascii: "'") {
            return try blob(from: start)
        }
        return SQLToken(kind: .word, start: start, end: position, keyword: .spelled(bytes[start..<position]))
    }

    /// A literal of bytes, which is refused here as SQLite would refuse it, because SQLite's message quotes it.
    private mutating func blob(from start: Int) throws(Fault) -> SQLToken {
        position += 1
        let first = position
        while let digit = byte(at: position), Self.isHexadecimal(digit) {
            position += 1
        }
        guard byte(at: position) == UInt8(ascii: "'"), (position - first).isMultiple(of: 2) else {
            throw Fault(
                .sqlError, "a blob literal needs pairs of hexadecimal digits and a closing quote", offset: start)
        }
        position += 1
        return SQLToken(kind: .blob, start: start, end: position)
    }

    private static func null(at offset: Int) -> Fault {
        Fault(.sqlError, "NUL character in the text", offset: offset)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private mutating func numberedParameter() -> SQLToken {
        let start = position
        position += 1
        while isDigit(at: position) {
            position += 1
        }
        return SQLToken(kind: .parameter, start: start, end: position)
    }

    /// `:name`, `@name`, `$name`, also with `::` in it and one `(...)` at its end.
    private mutating func namedParameter() throws(Fault) -> SQLToken {
        let start = position
        var hasName = false
        // SQLite uses `#1` for itself.
        if bytes[start] == UInt8(ascii: "#"), isDigit(at: start + 1) {
            throw Fault(.sqlError, "'#' with a number is not a parameter; use '?'", offset: start)
        }
        position += 1
        while position < bytes.count {
            if Self.continuesName(bytes[position]) {
                hasName = true
                position += 1
            } else if bytes[position] == UInt8(ascii: ":"), byte(at: position + 1) == UInt8(ascii: ":") {
                position += 2
            } else {
                break
            }
        }
        guard hasName else {
            return SQLToken(kind: .other, start: start, end: position)
        }
        if byte(at: position) == UInt8(ascii: "(") {
            let close = bytes[position...].firstIndex {
                $0 == UInt8(ascii: ")") || $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0
            }
            if let close, bytes[close] == 0 {
                throw Self.null(at: close)
            }
            guard let close, bytes[close] == UInt8(ascii: ")") else {
                throw Fault(.sqlError, "the closing parenthesis of a parameter name is missing", offset: start)
            }
            position = close + 1
        }
        return SQLToken(kind: .parameter, start: start, end: position)
    }

    /// Whether a name may continue with the byte: a letter, a digit, `_`, `$` or a non-ASCII byte.
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
