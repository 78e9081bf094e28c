import Soups

/// Single characters, escapes and classes of a pattern.
extension PatternParser {
    /// Parses one character, escape or class.
    mutating func atom() throws(Fault) -> PatternInstruction {
        switch bytes[position] {
        case UInt8(ascii: "."):
            position += 1
            return add(.any)
        case UInt8(ascii: "["): return add(try characterClass())
        case UInt8(ascii: "\\"):
            if eat("\\b") {
                return .wordBoundary
            }
            if eat("\\B") {
                return .noWordBoundary
            }
            switch try escape(inClass: false) {
            case .set(let set): return add(set)
            case .scalar(let scalar): return .scalar(scalar)
            }
        default: return .scalar(scalar())
        }
    }

    private mutating func add(_ set: PatternSet) -> PatternInstruction {
        sets.append(set)
        return .set(sets.count - 1)
    }

    private enum Member {
        case scalar(Unicode.Scalar)
        case set(PatternSet)
    }

    /// Reads the scalar at the position. The text comes from a string and so is valid UTF-8.
    private mutating func scalar() -> Unicode.Scalar {
        let lead = bytes[position]
        let count = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let text = String(decoding: bytes[position..<min(position + count, bytes.count)], as: UTF8.self)
        position += count
        return text.unicodeScalars.first ?? "\u{FFFD}"
    }

    private mutating func escape(inClass: Bool) throws(Fault) -> Member {
        let start = position
        position += 1
        guard position < bytes.count else {
            throw invalid("trailing '\\'", at: start)
        }
        let letter = scalar()
        if let set = PatternSet(escape: letter.value) {
            return .set(set)
        }
        switch letter {
        case "t": return .scalar("\t")
        case "n": return .scalar("\n")
        case "v": return .scalar("\u{0B}")
        case "f": return .scalar("\u{0C}")
        case "r": return .scalar("\r")
        case "b" where inClass: return .scalar("\u{08}")
        case "c":
            guard position < bytes.count, bytes[position] | 0x20 >= UInt8(ascii: "a"),
                bytes[position] | 0x20 <= UInt8(ascii: "z")
            else {
                throw invalid("expected a letter after '\\c'", at: start)
            }
            position += 1
            return .scalar(Unicode.Scalar(bytes[position - 1] & 0x1F))
        case "x": return .scalar(try scalar(hexadecimal(2, from: start), at: start))
        case "u": return .scalar(try unicodeEscape(from: start))
        case "0":
            guard position == bytes.count || bytes[position] &- 0x30 >= 10 else {
                throw invalid("octal escapes are not allowed", at: start)
            }
            return .scalar("\0")
        case "1"..."9", "k": throw Fault(.unsupported, "back references are not supported in patterns", offset: start)
        case "p", "P": throw Fault(.unsupported, "Unicode properties are not supported in patterns", offset: start)
        default:
            guard letter.isASCII, !Identifier.isASCIIPart(UInt8(truncatingIfNeeded: letter.value)) || letter == "_"
            else {
                throw invalid("unknown escape", at: start)
            }
            return .scalar(letter)
        }
    }

    private func scalar(_ value: UInt32, at offset: Int) throws(Fault) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else {
            throw invalid("the escape is not a valid character", at: offset)
        }
        return scalar
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(Fault) -> UInt32 {
        guard position + count <= bytes.count, let value = Self.hexadecimal(bytes[position..<position + count]) else {
            throw invalid("expected hexadecimal digits in the escape", at: start)
        }
        position += count
        return value
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
        guard !digits.isEmpty, digits.count <= 6, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Reads `\u0041`, `\u{1F600}` or a pair of surrogates.
    private mutating func unicodeEscape(from start: Int) throws(Fault) -> Unicode.Scalar {
        if eat("{") {
            guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")),
                let value = Self.hexadecimal(bytes[position..<end])
            else {
                throw invalid("expected hexadecimal digits in the escape", at: start)
            }
            position = end + 1
            return try scalar(value, at: start)
        }
        let high = try hexadecimal(4, from: start)
        if high >> 10 == 0xD800 >> 10, eat("\\u") {
            let low = try hexadecimal(4, from: start)
            guard low >> 10 == 0xDC00 >> 10 else {
                throw invalid("lone surrogate", at: start)
            }
            return try scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF), at: start)
        }
        return try scalar(high, at: start)
    }

    /// Parses `[...]`: characters, ranges, class escapes; `^` at the start negates.
    private mutating func characterClass() throws(Fault) -> PatternSet {
        let start = position
        position += 1
        var set = PatternSet()
        set.isNegated = eat("^")
        while true {
            guard position < bytes.count else {
                throw invalid("'[' without ']'", at: start)
            }
            if eat("]") {
                set.sort()
                return set
            }
            let offset = position
            let first = try classMember()
            // A '-' at the end of the class is a plain character.
            let isRange =
                position + 1 < bytes.count && bytes[position] == UInt8(ascii: "-")
                && bytes[position + 1] != UInt8(ascii: "]")
            guard isRange else {
                switch first {
                case .scalar(let scalar): set.ranges.append(scalar.value...scalar.value)
                case .set(let inner): set.ranges += inner.allRanges
                }
                continue
            }
            position += 1
            guard case .scalar(let lower) = first, case .scalar(let upper) = try classMember(), lower <= upper else {
                throw invalid("invalid range", at: offset)
            }
            set.ranges.append(lower.value...upper.value)
        }
    }

    private mutating func classMember() throws(Fault) -> Member {
        if bytes[position] == UInt8(ascii: "\\") {
            return try escape(inClass: true)
        }
        return .scalar(scalar())
    }
}
