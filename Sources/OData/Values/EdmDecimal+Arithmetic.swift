/// Decimal arithmetic. Results with at most 38 digits are exact; others are rounded to 38 digits, half to even. Results
/// are nil if they are out of range.
extension EdmDecimal {
    /// Returns the negative value.
    public static prefix func - (a: EdmDecimal) -> EdmDecimal {
        EdmDecimal(significand: a.significand, scale: a.scale, isNegative: !a.isNegative)
    }

    /// Returns the sum, exact or rounded to 38 digits; nil if it is out of range.
    public func adding(_ other: EdmDecimal) -> EdmDecimal? {
        guard let (a, b, scale) = Self.aligned(self, other) else {
            // The smaller number is too small to change the 38 digits of the larger one.
            return Self.compare(magnitude, other.magnitude) >= 0 ? self : other
        }
        if isNegative == other.isNegative {
            let (sum, overflow) = a.addingReportingOverflow(b)
            return overflow ? nil : Self.fitting(sum, scale: scale, isNegative: isNegative)
        }
        return a >= b
            ? EdmDecimal(significand: a - b, scale: scale, isNegative: isNegative)
            : EdmDecimal(significand: b - a, scale: scale, isNegative: other.isNegative)
    }

    /// Returns the difference, exact or rounded to 38 digits; nil if it is out of range.
    public func subtracting(_ other: EdmDecimal) -> EdmDecimal? { adding(-other) }

    /// Returns the product, exact or rounded to 38 digits; nil if it is out of range.
    public func multiplied(by other: EdmDecimal) -> EdmDecimal? {
        let product = significand.multipliedFullWidth(by: other.significand)
        let negative = isNegative != other.isNegative
        if product.high == 0 {
            return Self.fitting(product.low, scale: scale + other.scale, isNegative: negative)
        }
        // Divide by the power of ten that leaves 38 digits; the quotient is below 10^38, so the division cannot
        // overflow.
        var drop = 1
        while drop < 38, Self.powers[drop] <= product.high {
            drop += 1
        }
        while drop < 38, Self.powers[drop].dividingFullWidth(product).quotient >= Self.powers[38] {
            drop += 1
        }
        let (quotient, remainder) = Self.powers[drop].dividingFullWidth(product)
        return Self.fitting(
            Self.roundingHalfEven(quotient, remainder, Self.powers[drop]), scale: scale + other.scale - drop,
            isNegative: negative)
    }

    /// Returns the quotient with up to 36 digits; nil if it is out of range or if the divisor is zero.
    public func divided(by other: EdmDecimal) -> EdmDecimal? {
        guard other.significand != 0 else { return nil }
        guard significand != 0 else {
            return EdmDecimal(significand: 0, scale: 0, isNegative: false)
        }
        var (quotient, remainder) = significand.quotientAndRemainder(dividingBy: other.significand)
        var scale = scale - other.scale
        // Long division: one digit at a time, up to 36 digits.
        while remainder != 0, quotient < Self.powers[Self.maximumDigits - 1], scale < Self.maximumScale {
            let (digit, rest) = other.significand.dividingFullWidth(remainder.multipliedFullWidth(by: 10))
            quotient = quotient * 10 + digit
            remainder = rest
            scale += 1
        }
        let value = Self.roundingHalfEven(quotient, remainder, other.significand)
        return Self.fitting(value, scale: scale, isNegative: isNegative != other.isNegative)?.withoutNegativeScale
    }

    /// Returns the remainder of truncating division, always exact, with the sign of the dividend; nil if the divisor is
    /// zero.
    public func remainder(dividingBy other: EdmDecimal) -> EdmDecimal? {
        guard other.significand != 0 else { return nil }
        guard scale <= other.scale else {
            // The divisor has `distance` zeros more. If that makes it larger than the dividend, nothing is divided.
            let distance = scale - other.scale
            guard distance <= 38, other.significand <= significand / Self.powers[distance] else { return self }
            let rest = significand % (other.significand * Self.powers[distance])
            return EdmDecimal(significand: rest, scale: scale, isNegative: isNegative)
        }
        // The dividend has zeros more, which are brought down one by one.
        var rest = significand % other.significand
        for _ in scale..<other.scale where rest != 0 {
            rest = other.significand.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder
        }
        return EdmDecimal(significand: rest, scale: other.scale, isNegative: isNegative)
    }

    /// A rounding rule.
    public enum Rounding: Sendable {
        /// To the nearest integer; halves are rounded away from zero.
        case halfAwayFromZero
        /// To the integer that is not greater.
        case down
        /// To the integer that is not less.
        case up
        /// To the integer that is not farther from zero.
        case towardsZero
    }

    /// Rounds to an integer.
    public func rounded(_ rounding: Rounding) -> EdmDecimal {
        guard scale > 0 else {
            return self
        }
        guard scale <= 38 else {
            let one: UInt128 =
                significand != 0 && ((rounding == .down && isNegative) || (rounding == .up && !isNegative)) ? 1 : 0
            return EdmDecimal(significand: one, scale: 0, isNegative: isNegative)
        }
        let power = Self.powers[scale]
        let (whole, rest) = significand.quotientAndRemainder(dividingBy: power)
        let away =
            switch rounding {
            case .halfAwayFromZero: rest >= power / 2
            case .down: isNegative && rest > 0
            case .up: !isNegative && rest > 0
            case .towardsZero: false
            }
        return EdmDecimal(significand: away ? whole + 1 : whole, scale: 0, isNegative: isNegative)
    }

    var magnitude: EdmDecimal { EdmDecimal(significand: significand, scale: scale, isNegative: false) }

    private var withoutNegativeScale: EdmDecimal {
        guard scale < 0, Self.digits(of: significand) - scale <= 38 else {
            return self
        }
        return EdmDecimal(significand: significand * Self.powers[-scale], scale: 0, isNegative: isNegative)
    }

    /// Converts two numbers to the same scale; rounds if they would need more than 38 digits. The result is nil if one
    /// number is too small to matter.
    private static func aligned(_ a: EdmDecimal, _ b: EdmDecimal) -> (UInt128, UInt128, Int)? {
        if a.scale == b.scale {
            return (a.significand, b.significand, a.scale)
        }
        if a.scale > b.scale {
            return aligned(b, a).map { ($0.1, $0.0, $0.2) }
        }
        let distance = b.scale - a.scale
        if a.significand == 0 {
            return (0, b.significand, b.scale)
        }
        let room = 38 - digits(of: a.significand)
        if distance <= room {
            return (a.significand * powers[distance], b.significand, b.scale)
        }
        let drop = distance - room
        guard drop <= 38 else { return nil }
        let (quotient, remainder) = b.significand.quotientAndRemainder(dividingBy: powers[drop])
        return (a.significand * powers[room], roundingHalfEven(quotient, remainder, powers[drop]), b.scale - drop)
    }

    private static func roundingHalfEven(_ quotient: UInt128, _ remainder: UInt128, _ divisor: UInt128) -> UInt128 {
        let rest = divisor - remainder
        return remainder > rest || (remainder == rest && quotient & 1 == 1) ? quotient + 1 : quotient
    }

    /// Rounds a number of 39 digits to 38 and checks the range.
    static func fitting(_ value: UInt128, scale: Int, isNegative: Bool) -> EdmDecimal? {
        var value = value
        var scale = scale
        if value >= powers[38] {
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
            value = roundingHalfEven(quotient, remainder, 10)
            scale -= 1
        }
        guard abs(scale) <= 2 * maximumScale else { return nil }
        return EdmDecimal(significand: value, scale: scale, isNegative: isNegative)
    }
}
