import Soups

/// Reading literals: the result is the form of the literal; its text is between the old and the new position.
extension ExpressionLexer {
    /// Reads a literal that starts with a digit, a sign or a quote; nil if there is none.
    ///
    /// Throws `syntax` for a malformed literal and `invalidLiteral` for an invalid value.
    mutating func literal() throws(Fault) -> LiteralType? {
        let first = next
        if first == UInt8(ascii: "'") {
            try skipString()
            try endLiteral()
            return .string
        }
        if version.isV4, isGuid() {
            position += 36
            try endLiteral()
            return .guid
        }
        if first &- 0x30 < 10 {
            return try number(from: position)
        }
        if first == UInt8(ascii: "-") || (first == UInt8(ascii: "+") && version.isV4) {
            let start = position
            if byte(at: position + 1) &- 0x30 < 10 {
                position += 1
                return try number(from: start)
            }
            if first == UInt8(ascii: "-"), eatWord("-INF") {
                return .double
            }
        }
        return nil
    }

    /// Reads the words `INF`, `NaN`, `true` and `false`; booleans are case-insensitive in 4.x.
    mutating func namedLiteral(to end: Int) -> LiteralType? {
        if end - position == 3, isAt("INF") || isAt("NaN") {
            position = end
            return .double
        }
        guard truthValue(to: end) != nil else { return nil }
        position = end
        return .boolean
    }

    /// The value of the name at the current position if it is `true` or `false`, otherwise nil.
    func truthValue(to end: Int) -> Bool? {
        switch end - position {
        case 4 where isTruthValue("true"): true
        case 5 where isTruthValue("false"): false
        default: nil
        }
    }

    private func isTruthValue(_ word: StaticString) -> Bool {
        guard position + word.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            let byte = bytes[position + index]
            guard byte == word.utf8Start[index] || (version.isV4 && byte | 0x20 == word.utf8Start[index]) else {
                return false
            }
        }
        return true
    }

    private mutating func eatWord(_ word: StaticString) -> Bool {
        guard isAt(word), !isNamePart(byte(at: position + word.utf8CodeUnitCount)) else {
            return false
        }
        position += word.utf8CodeUnitCount
        return true
    }

    private func isNamePart(_ byte: UInt8) -> Bool { Identifier.isASCIIPart(byte) || byte >= 0x80 }

    /// Skips a string in single quotes; two quotes inside it mean one.
    mutating func skipString() throws(Fault) {
        position += 1
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "'") {
                position += 1
            } else if byte(at: position + 1) == UInt8(ascii: "'") {
                position += 2
            } else {
                position += 1
                return
            }
        }
        throw unexpected("unterminated string")
    }

    /// Checks that no other characters directly follow a literal.
    func endLiteral() throws(Fault) {
        if isNamePart(next) || next == UInt8(ascii: "-") {
            throw unexpected("unexpected characters after the literal")
        }
    }

    /// Whether the bytes at the position have the form of a guid: hexadecimal digits in groups of 8-4-4-4-12.
    private func isGuid() -> Bool {
        guard position + 36 <= bytes.count, bytes[position + 8] == UInt8(ascii: "-"),
            bytes[position + 13] == UInt8(ascii: "-")
        else {
            return false
        }
        return EdmGuid(bytes: slice(position, position + 36)) != nil
    }
}
