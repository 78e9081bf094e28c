import Soups

extension ExpressionLexer {
    /// Reads a number, date or time. The position is at its first digit; `start` includes the sign.
    mutating func number(from start: Int) throws(Fault) -> LiteralType {
        let digits = skipDigits()
        let byte = next
        if version.isV4 {
            if byte == UInt8(ascii: "-"), digits >= 4, isDigits(2, at: position + 1),
                self.byte(at: position + 3) == UInt8(ascii: "-"),
                isDigits(2, at: position + 4)
            {
                return try date(from: start)
            }
            if byte == UInt8(ascii: ":"), digits == 2, start + 2 == position, isDigits(2, at: position + 1) {
                return try time(from: start)
            }
        }
        var type: LiteralType = digits <= 9 ? .int32 : try integerType(from: start)
        if byte == UInt8(ascii: "."), self.byte(at: position + 1) &- 0x30 < 10 {
            position += 1
            _ = skipDigits()
            type = version.isV4 ? .decimal : .double
        }
        if next | 0x20 == UInt8(ascii: "e") {
            try exponent()
            type = .double
        }
        if !version.isV4, let suffixed = try suffixedType(from: start) {
            return suffixed
        }
        try endLiteral()
        try checkRange(type, from: start, to: position)
        return type
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            position += 1
        }
        return position - start
    }

    private func isDigits(_ count: Int, at start: Int) -> Bool {
        for index in start..<start + count where byte(at: index) &- 0x30 >= 10 {
            return false
        }
        return true
    }

    private mutating func exponent() throws(Fault) {
        position += 1
        if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") {
            position += 1
        }
        guard skipDigits() > 0 else {
            throw unexpected("expected digits after the exponent")
        }
    }

    /// The smallest type for ten or more digits: Int32, Int64 or Decimal.
    private func integerType(from start: Int) throws(Fault) -> LiteralType {
        guard let value = ODataValue.int64(slice(start, position)) else {
            return .decimal
        }
        return Int32(exactly: value) == nil ? .int64 : .int32
    }

    private func checkRange(_ type: LiteralType, from start: Int, to end: Int) throws(Fault) {
        let text = slice(start, end)
        let exists =
            switch type {
            case .decimal: EdmDecimal(bytes: text) != nil
            case .double: ODataValue.double(text) != nil
            case .single: ODataValue.single(text) != nil
            case .int64: ODataValue.int64(text) != nil
            default: true
            }
        if !exists {
            throw Fault(.invalidLiteral, "the number is out of range for its type", offset: start)
        }
    }

    /// Reads the suffix that determines the type of a number in versions 1.0 to 3.0.
    private mutating func suffixedType(from start: Int) throws(Fault) -> LiteralType? {
        let type: LiteralType
        switch next {
        case UInt8(ascii: "L"), UInt8(ascii: "l"): type = .int64
        case UInt8(ascii: "M"), UInt8(ascii: "m"): type = .decimal
        case UInt8(ascii: "F"), UInt8(ascii: "f"): type = .single
        case UInt8(ascii: "D"), UInt8(ascii: "d"): type = .double
        default: return nil
        }
        if type == .int64,
            slice(start, position).contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") })
        {
            throw unexpected("an integer must not have a decimal point or an exponent")
        }
        if type == .decimal, slice(start, position).contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            throw unexpected("a decimal must not have an exponent before version 4")
        }
        try checkRange(type, from: start, to: position)
        position += 1
        try endLiteral()
        return type
    }

    /// Reads a date, or a date with time and offset. The position is at the end of the year.
    private mutating func date(from start: Int) throws(Fault) -> LiteralType {
        position += 6
        guard next == UInt8(ascii: "T") else {
            try endLiteral()
            guard EdmDate(bytes: slice(start, position)) != nil else {
                throw Fault(.invalidLiteral, "not a valid date", offset: start)
            }
            return .date
        }
        position += 1
        guard isDigits(2, at: position), byte(at: position + 2) == UInt8(ascii: ":"), isDigits(2, at: position + 3)
        else {
            throw unexpected("expected a time")
        }
        position += 5
        try skipSeconds()
        if !eat(UInt8(ascii: "Z")) {
            guard eat(UInt8(ascii: "+")) || eat(UInt8(ascii: "-")), isDigits(2, at: position),
                byte(at: position + 2) == UInt8(ascii: ":"),
                isDigits(2, at: position + 3)
            else {
                throw unexpected("expected Z or an offset from UTC")
            }
            position += 5
        }
        try endLiteral()
        guard EdmDateTimeOffset(bytes: slice(start, position)) != nil else {
            throw Fault(.invalidLiteral, "not a valid date and time", offset: start)
        }
        return .dateTimeOffset
    }

    private mutating func time(from start: Int) throws(Fault) -> LiteralType {
        position += 3
        try skipSeconds()
        try endLiteral()
        guard EdmTimeOfDay(bytes: slice(start, position)) != nil else {
            throw Fault(.invalidLiteral, "not a valid time", offset: start)
        }
        return .timeOfDay
    }

    /// Skips `:ss` and a fraction, if present. A colon without two digits after it is not part of the time.
    private mutating func skipSeconds() throws(Fault) {
        guard next == UInt8(ascii: ":"), isDigits(2, at: position + 1) else { return }
        position += 3
        guard eat(UInt8(ascii: ".")) else { return }
        guard skipDigits() > 0 else {
            throw unexpected("expected digits after the decimal point")
        }
    }
}
