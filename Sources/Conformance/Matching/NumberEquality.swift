import JSONText

/// Compares numbers by value as the contract requires: 1 equals 1.0, and integers of any size are exact.
///
/// Two numbers without decimal point and exponent are compared digit by digit, and so are two integers that fit into 64
/// bits. If only one of them is such an integer, they differ. All other numbers are compared as doubles, because
/// implementations write the same double with different digits.
enum NumberEquality {
    static func same(_ a: JSONNumber, _ b: JSONNumber) -> Bool {
        switch (a.int64, b.int64) {
        case (let a?, let b?): return a == b
        case (nil, nil): break
        default: return false
        }
        if isPlainInteger(a.text), isPlainInteger(b.text) {
            return a.text.utf8.elementsEqual(b.text.utf8)
        }
        let (first, second) = (a.double, b.double)
        // Beyond the range of a double all would be equal.
        return first.isInfinite && second.isInfinite ? a == b : first == second
    }

    /// Whether the value is a whole number of any size: `7`, `7.0`, `7e2`, `1e300`.
    static func isInteger(_ number: JSONNumber) -> Bool {
        if number.int64 != nil || isPlainInteger(number.text) {
            return true
        }
        let value = number.double
        // Doubles of this size have no fraction. Below it, `int64` already decided exactly.
        return value.isFinite && value.rounded() == value && abs(value) >= 9_007_199_254_740_992
    }

    private static func isPlainInteger(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
