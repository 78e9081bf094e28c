extension JSONNumber {
    /// The nearest double; infinite if the number is out of range.
    public var double: Double { Double(text) ?? .nan }

    /// The exact integer, if the number is an integer that fits into 64 bits (`7`, `7.0` and `7e2`, but not `7.5` and
    /// `2e19`).
    public var int64: Int64? { Int64(text) ?? DecimalForm(text.utf8).int64 }

    /// Returns the shortest text that reads back as the same double.
    public static func shortest(_ value: Double) -> String {
        var text = "\(value)"
        if text.hasSuffix(".0") {
            text.removeLast(2)
        }
        if let plus = text.firstIndex(of: "+") {
            text.remove(at: plus)
        }
        return text
    }
}

extension JSONNumber: Equatable {
    /// Compares by exact decimal value: 1 equals 1.0 and 10e-1, 9007199254740993 does not equal 9007199254740992, 0
    /// equals -0.
    public static func == (a: JSONNumber, b: JSONNumber) -> Bool {
        if JSONObject.same(a.text, b.text) {
            return true
        }
        // Integers with different digits differ.
        guard !a.isPlainInteger || !b.isPlainInteger else {
            return false
        }
        return DecimalForm(a.text.utf8) == DecimalForm(b.text.utf8)
    }

    /// Whether the text has digits alone. JSON has no zeros before them.
    private var isPlainInteger: Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
