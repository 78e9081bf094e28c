/// An exact `Edm.Decimal`: an integer of up to 38 digits, and the number of digits after the decimal point.
///
/// ```swift
/// let price = EdmDecimal("19.90")
/// let total = price?.multiplied(by: EdmDecimal(3))
/// ```
///
/// Texts may have 36 digits; the other two are room for carries. The scale is kept (`2.50` stays `2.50`), but values
/// are compared numerically. Source: OData CSDL, `Edm.Decimal`.
public struct EdmDecimal: Sendable, BitwiseCopyable {
    /// The digits without decimal point and sign, below 10^38.
    public let significand: UInt128
    /// The number of digits after the decimal point; negative if zeros follow the digits (`1e40`).
    public let scale: Int
    /// Whether the value has a minus sign.
    public let isNegative: Bool

    /// The maximum number of digits of a text.
    public static let maximumDigits = 36
    /// The largest absolute value of the scale.
    public static let maximumScale = 400

    init(significand: UInt128, scale: Int, isNegative: Bool) {
        self.significand = significand
        self.scale = scale
        self.isNegative = isNegative && significand != 0
    }

    /// Creates an integer.
    public init(_ value: Int64) {
        self.init(significand: UInt128(value.magnitude), scale: 0, isNegative: value < 0)
    }

    /// Powers of ten from 10^0 to 10^38.
    static let powers: [UInt128] = {
        var powers: [UInt128] = [1]
        for _ in 0..<38 {
            powers.append(powers[powers.count - 1] * 10)
        }
        return powers
    }()

    /// Counts the digits of a number; 1 for zero.
    static func digits(of value: UInt128) -> Int {
        var low = 1
        var high = 39
        while low < high {
            let middle = (low + high) / 2
            if middle < 39, value >= powers[middle] {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The same value without trailing zeros.
    var reduced: EdmDecimal {
        guard significand != 0 else {
            return EdmDecimal(significand: 0, scale: 0, isNegative: false)
        }
        var zeros = 0
        let digits =
            UInt64(exactly: significand).map { UInt128(Self.withoutZeros($0, &zeros)) }
            ?? Self.withoutZeros(significand, &zeros)
        return EdmDecimal(significand: digits, scale: scale - zeros, isNegative: isNegative)
    }

    /// The same value without zeros at the end of its fraction. Those of an integer stay.
    package var withoutTrailingZeros: EdmDecimal {
        guard scale > 0 else {
            return self
        }
        let shortest = reduced
        guard shortest.scale < 0 else {
            return shortest
        }
        return EdmDecimal(
            significand: shortest.significand * Self.powers[-shortest.scale], scale: 0, isNegative: isNegative)
    }

    /// Removes trailing zeros and counts them. Divisions of 64 bits are much faster than those of 128.
    private static func withoutZeros<Number: FixedWidthInteger>(_ number: Number, _ zeros: inout Int) -> Number {
        var digits = number
        while digits % 10 == 0 {
            digits /= 10
            zeros += 1
        }
        return digits
    }

    /// The value as an integer; nil if it is not an integer or does not fit into 64 bits.
    public var int64: Int64? {
        if scale == 0, let magnitude = Int64(exactly: significand) {
            return isNegative ? -magnitude : magnitude
        }
        let value = reduced
        guard value.scale <= 0, value.scale >= -18 else { return nil }
        let (product, overflow) = value.significand.multipliedReportingOverflow(by: Self.powers[-value.scale])
        guard !overflow else { return nil }
        if value.isNegative {
            return product == UInt128(Int64.min.magnitude) ? Int64.min : Int64(exactly: product).map { -$0 }
        }
        return Int64(exactly: product)
    }

    /// The nearest double.
    public var double: Double {
        let magnitude: Double
        if significand < 1 << 53, scale >= 0, scale <= 22 {
            // Both operands are exact, so one division rounds once.
            magnitude = Double(UInt64(significand)) / Self.doublePowers[scale]
        } else {
            magnitude = Double("\(significand)e\(-scale)") ?? .infinity
        }
        return isNegative ? -magnitude : magnitude
    }

    private static let doublePowers: [Double] = (0...22).map { Double(powers[$0]) }
}

extension EdmDecimal: Hashable, Comparable {
    public static func == (a: EdmDecimal, b: EdmDecimal) -> Bool { compare(a, b) == 0 }

    public static func < (a: EdmDecimal, b: EdmDecimal) -> Bool { compare(a, b) < 0 }

    public func hash(into hasher: inout Hasher) {
        let value = reduced
        hasher.combine(UInt64(truncatingIfNeeded: value.significand))
        hasher.combine(value.isNegative ? ~value.scale : value.scale)
    }

    /// Compares two values: the result is negative, zero or positive.
    static func compare(_ a: EdmDecimal, _ b: EdmDecimal) -> Int {
        if a.isNegative != b.isNegative {
            return a.isNegative ? -1 : 1
        }
        let order = compareMagnitudes(a, b)
        return a.isNegative ? -order : order
    }

    private static func compareMagnitudes(_ a: EdmDecimal, _ b: EdmDecimal) -> Int {
        if a.scale == b.scale || a.significand == 0 || b.significand == 0 {
            return order(a.significand, b.significand)
        }
        let digitsOfA = digits(of: a.significand)
        let digitsOfB = digits(of: b.significand)
        if digitsOfA - a.scale != digitsOfB - b.scale {
            return digitsOfA - a.scale < digitsOfB - b.scale ? -1 : 1
        }
        // The leading digits have the same weight. Once both numbers have the same number of digits, they compare as
        // integers.
        if digitsOfA < digitsOfB {
            return order(a.significand * powers[digitsOfB - digitsOfA], b.significand)
        }
        return order(a.significand, b.significand * powers[digitsOfA - digitsOfB])
    }

    private static func order(_ a: UInt128, _ b: UInt128) -> Int { a == b ? 0 : a < b ? -1 : 1 }
}
