/// Decimal arithmetic: exact while the result has at most 38 digits, else rounded to 38, the half to the even digit;
/// nil where the value is out of range.
extension EdmDecimal {
    public static prefix func - (a: EdmDecimal) -> EdmDecimal {
        EdmDecimal(significand: a.significand, scale: a.scale, isNegative: !a.isNegative)
    }

    /// Adds exactly, or rounded to 38 digits; nil where the sum is out of range.
    public func adding(_ other: EdmDecimal) -> EdmDecimal? {
        guard let (a, b, scale) = Self.aligned(self, other) else {
            // More than 38 digits apart: the smaller one cannot change the 38 digits of the larger.
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

    /// Subtracts exactly, or rounded to 38 digits; nil where the difference is out of range.
    public func subtracting(_ other: EdmDecimal) -> EdmDecimal? { adding(-other) }

    /// Multiplies exactly, or rounded to 38 digits; nil where the product is out of range.
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

    /// Divides; nil for a zero divisor too. A quotient without end has 36 digits.
    public func divided(by other: EdmDecimal) -> EdmDecimal? {
        guard other.significand != 0 else { return nil }
        guard significand != 0 else {
            return EdmDecimal(significand: 0, scale: 0, isNegative: false)
        }
        var (quotient, remainder) = significand.quotientAndRemainder(dividingBy: other.significand)
        var scale = scale - other.scale
        // Long division: a digit at a time until it ends or 36 digits are there.
        while remainder != 0, quotient < Self.powers[Self.maximumDigits - 1], scale < Self.maximumScale {
            let (digit, rest) = other.significand.dividingFullWidth(remainder.multipliedFullWidth(by: 10))
            quotient = quotient * 10 + digit
            remainder = rest
            scale += 1
        }
        let value = Self.roundingHalfEven(quotient, remainder, other.significand)
        return Self.fitting(value, scale: scale, isNegative: isNegative != other.isNegative)?.withoutNegativeScale
    }

    /// Takes the remainder of truncating division, with the sign of the dividend; nil for a zero divisor or operands
    /// too far apart.
    public func remainder(dividingBy other: EdmDecimal) -> EdmDecimal? {
        guard other.significand != 0 else { return nil }
        guard let (a, b, scale) = Self.aligned(self, other) else {
            return Self.compare(magnitude, other.magnitude) < 0 ? self : nil
        }
        return EdmDecimal(significand: a % b, scale: scale, isNegative: isNegative)
    }

    /// Says which neighbour a fraction becomes.
    public enum Rounding: Sendable {
        case halfAwayFromZero, down, up, towardsZero
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

    /// Brings two numbers to one scale, the coarser of them rounded where 38 digits are too few; nil where one vanishes
    /// beside the other.
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

    /// Shortens a number of 39 digits by one and checks the range.
    private static func fitting(_ value: UInt128, scale: Int, isNegative: Bool) -> EdmDecimal? {
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
