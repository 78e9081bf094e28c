import JSONText

/// Compares numbers by value as the contract asks: 1 equals 1.0, and integers stay exact however large they are.
///
/// Two numbers written without point or exponent compare digit by digit, and so do two that fit into 64 bits. Where
/// only one of them is such an integer they differ. Everything else compares as the nearest double: implementations
/// write the same double in different digits.
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
        return a.double == b.double
    }

    /// A whole number by value, of any size: `7`, `7.0`, `7e2`, `1e300`.
    static func isInteger(_ number: JSONNumber) -> Bool {
        if number.int64 != nil || isPlainInteger(number.text) {
            return true
        }
        let value = number.double
        // A double of this size has no fraction, whatever its text; below it the text is exact enough.
        return value.isFinite && value.rounded() == value && abs(value) >= 9_007_199_254_740_992
    }

    private static func isPlainInteger(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
