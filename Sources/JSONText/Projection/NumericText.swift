/// Parses numbers for numeric indexes: exact integers if they fit into 64 bits, otherwise the nearest double.
enum NumericText {
    /// The value of a text that is known to be a valid JSON number.
    static func value(_ text: UnsafeRawBufferPointer) -> NumericValue {
        guard let form = ShortDecimal(text) else {
            return longValue(text)
        }
        if let integer = form.integer {
            return .integer(integer)
        }
        if let real = form.exactDouble {
            return .real(real)
        }
        return longValue(text)
    }

    /// The value of a text that is a number by SQLite's rules for column affinity: optional white space around it, a
    /// sign, digits with or without a decimal point, an exponent. Null for other text.
    static func valueIfNumber(_ text: UnsafeRawBufferPointer) -> NumericValue {
        guard let range = numberRange(text) else {
            return .null
        }
        return value(UnsafeRawBufferPointer(rebasing: text[range]))
    }

    /// The range of the number without white space around it and without a leading plus.
    private static func numberRange(_ text: UnsafeRawBufferPointer) -> Range<Int>? {
        var start = 0
        var end = text.count
        while start < end, isSpace(text[start]) {
            start += 1
        }
        while end > start, isSpace(text[end - 1]) {
            end -= 1
        }
        var index = start
        if index < end, text[index] == 0x2B {
            index += 1
            start = index
        } else if index < end, text[index] == 0x2D {
            index += 1
        }
        let whole = passDigits(text, &index, end)
        var fraction = 0
        if index < end, text[index] == 0x2E {
            index += 1
            fraction = passDigits(text, &index, end)
        }
        guard whole + fraction > 0 else { return nil }
        if index < end, text[index] | 0x20 == 0x65 {
            index += 1
            if index < end, text[index] == 0x2B || text[index] == 0x2D {
                index += 1
            }
            guard passDigits(text, &index, end) > 0 else { return nil }
        }
        return index == end ? start..<end : nil
    }

    private static func passDigits(_ text: UnsafeRawBufferPointer, _ index: inout Int, _ end: Int) -> Int {
        let start = index
        while index < end, text[index] &- 0x30 < 10 {
            index += 1
        }
        return index - start
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

    /// The general case: many digits or a large exponent.
    private static func longValue(_ text: UnsafeRawBufferPointer) -> NumericValue {
        if let integer = DecimalForm(text).int64 {
            return .integer(integer)
        }
        return .real(Double(normalised(text)) ?? 0)
    }

    /// The form that Swift can parse: with digits on both sides of the decimal point.
    private static func normalised(_ text: UnsafeRawBufferPointer) -> String {
        var bytes: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if byte == 0x2E, bytes.isEmpty || bytes == [0x2D] {
                bytes.append(0x30)
            }
            bytes.append(byte)
            if byte == 0x2E, index + 1 == text.count || text[index + 1] &- 0x30 >= 10 {
                bytes.append(0x30)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
