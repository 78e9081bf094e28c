extension JSONNumber {
    /// The nearest double; infinite where the text is beyond the range.
    public var double: Double { Double(text) ?? .nan }

    /// The exact integer, where the number is one that fits into 64 bits (`7`, `7.0` and `7e2` are integers, `7.5` and `2e19` are not).
    public var int64: Int64? {
        if let value = Int64(text) { return value }
        return nil
    }

    static func shortest(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
