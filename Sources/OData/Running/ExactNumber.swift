/// A number that is ordered by its exact value among decimals and doubles.
///
/// `Comparison` rounds a decimal before it compares it with a double. That gives no order to sort by: two decimals that
/// differ may both equal the double between them.
package enum ExactNumber: Comparable, Sendable {
    case decimal(EdmDecimal)
    /// A double, also an infinite one, but not NaN.
    case double(Double)

    package static func == (a: ExactNumber, b: ExactNumber) -> Bool { order(a, b) == 0 }

    package static func < (a: ExactNumber, b: ExactNumber) -> Bool { order(a, b) < 0 }

    /// Compares two numbers: the result is negative, zero or positive.
    static func order(_ a: ExactNumber, _ b: ExactNumber) -> Int {
        switch (a, b) {
        case (.decimal(let x), .decimal(let y)): EdmDecimal.compare(x, y)
        case (.double(let x), .double(let y)): x == y ? 0 : x < y ? -1 : 1
        case (.decimal(let x), .double(let y)): order(x, y)
        case (.double(let x), .decimal(let y)): -order(y, x)
        }
    }

    private static func order(_ decimal: EdmDecimal, _ double: Double) -> Int {
        // Rounding keeps the order, so only a decimal that rounds to the double needs all digits.
        let rounded = decimal.double
        if rounded != double {
            return rounded < double ? -1 : 1
        }
        guard double != 0 else {
            return decimal.significand == 0 ? 0 : decimal.isNegative ? -1 : 1
        }
        let order = orderOfMagnitudes(decimal, abs(double))
        return decimal.isNegative ? -order : order
    }

    /// Compares `significand / 10^scale` with `mantissa * 2^exponent`, both multiplied until they are whole.
    private static func orderOfMagnitudes(_ decimal: EdmDecimal, _ double: Double) -> Int {
        let exponent = Int(double.exponent) - 52
        var left = WholeNumber(decimal.significand)
        var right = WholeNumber(
            UInt128(double.isNormal ? double.significandBitPattern | 1 << 52 : double.significandBitPattern))
        let power = double.isNormal ? exponent : -1_074
        if power < 0 {
            left.multiply(by: 2, times: -power)
        } else {
            right.multiply(by: 2, times: power)
        }
        if decimal.scale < 0 {
            left.multiply(by: 10, times: -decimal.scale)
        } else {
            right.multiply(by: 10, times: decimal.scale)
        }
        return WholeNumber.order(left, right)
    }
}

/// A whole number of any size, as digits of 32 bits, the lowest first.
private struct WholeNumber {
    private var digits: [UInt32] = []

    init(_ value: UInt128) {
        var rest = value
        while rest != 0 {
            digits.append(UInt32(truncatingIfNeeded: rest))
            rest >>= 32
        }
    }

    mutating func multiply(by factor: UInt32, times: Int) {
        for _ in 0..<times {
            var carry: UInt64 = 0
            for index in digits.indices {
                let product = UInt64(digits[index]) * UInt64(factor) + carry
                digits[index] = UInt32(truncatingIfNeeded: product)
                carry = product >> 32
            }
            if carry != 0 {
                digits.append(UInt32(carry))
            }
        }
    }

    static func order(_ a: WholeNumber, _ b: WholeNumber) -> Int {
        guard a.digits.count == b.digits.count else {
            return a.digits.count < b.digits.count ? -1 : 1
        }
        for (x, y) in zip(a.digits.reversed(), b.digits.reversed()) where x != y {
            return x < y ? -1 : 1
        }
        return 0
    }
}
