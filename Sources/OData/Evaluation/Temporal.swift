import Soups

/// Arithmetic on dates, instants and durations. Source: OData URL Conventions 4.01, 5.1.1.2.
enum Temporal {
    static func compute(
        _ kind: ExpressionNode.Kind, _ a: ODataValue, _ b: ODataValue, offset: Int
    ) throws(Fault) -> ODataValue {
        let beyond = Fault(.arithmetic, "date overflow: the result is out of range", offset: offset)
        switch (a, kind, b) {
        case (.dateTimeOffset(let x), .add, .duration(let y)), (.duration(let y), .add, .dateTimeOffset(let x)):
            return try moved(x, by: y.picoseconds, beyond)
        case (.dateTimeOffset(let x), .subtract, .duration(let y)):
            return try moved(x, by: negated(y, beyond), beyond)
        case (.date(let x), .add, .duration(let y)), (.duration(let y), .add, .date(let x)):
            return try moved(x, by: y.picoseconds, beyond)
        case (.date(let x), .subtract, .duration(let y)): return try moved(x, by: negated(y, beyond), beyond)
        case (.duration(let x), .add, .duration(let y)): return try duration(x.picoseconds, plus: y.picoseconds, beyond)
        case (.duration(let x), .subtract, .duration(let y)):
            return try duration(x.picoseconds, plus: negated(y, beyond), beyond)
        case (.dateTimeOffset(let x), .subtract, .dateTimeOffset(let y)):
            return .duration(EdmDuration(picoseconds: instant(x) - instant(y)))
        case (.date(let x), .subtract, .date(let y)):
            return .duration(EdmDuration(picoseconds: Int128(x.daysSinceEpoch - y.daysSinceEpoch) * day))
        case (.duration(let x), .multiply, let y), (let y, .multiply, .duration(let x)):
            return try scaled(x, by: y, isDivision: false, beyond)
        case (.duration(let x), .divide, let y), (.duration(let x), .divideBy, let y):
            return try scaled(x, by: y, isDivision: true, beyond)
        default: return .null
        }
    }

    private static let day = 86_400 * EdmDuration.second

    private static func instant(_ value: EdmDateTimeOffset) -> Int128 {
        Int128(value.secondsSinceEpoch) * EdmDuration.second + Int128(value.local.time.picosecond)
    }

    private static func negated(_ value: EdmDuration, _ beyond: Fault) throws(Fault) -> Int128 {
        guard value.picoseconds != .min else {
            throw beyond
        }
        return -value.picoseconds
    }

    private static func duration(_ a: Int128, plus b: Int128, _ beyond: Fault) throws(Fault) -> ODataValue {
        let (sum, overflow) = a.addingReportingOverflow(b)
        guard !overflow else {
            throw beyond
        }
        return .duration(EdmDuration(picoseconds: sum))
    }

    /// Adds a duration to an instant, which keeps its offset.
    private static func moved(
        _ value: EdmDateTimeOffset, by picoseconds: Int128, _ beyond: Fault
    ) throws(Fault) -> ODataValue {
        let local = Int128(value.local.secondsSinceEpoch) * EdmDuration.second + Int128(value.local.time.picosecond)
        let (sum, overflow) = local.addingReportingOverflow(picoseconds)
        let (seconds, fraction) = floored(sum, by: EdmDuration.second)
        guard !overflow, let whole = Int64(exactly: seconds),
            let moved = EdmDateTime(secondsSinceEpoch: whole, picosecond: Int64(fraction)),
            let result = EdmDateTimeOffset(local: moved, offsetMinutes: Int(value.offsetMinutes))
        else {
            throw beyond
        }
        return .dateTimeOffset(result)
    }

    /// Adds a duration to a date: to the instant at which the day begins, of which the date remains.
    private static func moved(_ value: EdmDate, by picoseconds: Int128, _ beyond: Fault) throws(Fault) -> ODataValue {
        guard let days = Int64(exactly: floored(picoseconds, by: day).0), days.magnitude < 1 << 40,
            let date = EdmDate(daysSinceEpoch: value.daysSinceEpoch + days)
        else {
            throw beyond
        }
        return .date(date)
    }

    private static func floored(_ value: Int128, by divisor: Int128) -> (Int128, Int128) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Multiplies a duration by a number, or divides it by one; null for any other value.
    private static func scaled(
        _ value: EdmDuration, by factor: ODataValue, isDivision: Bool, _ beyond: Fault
    ) throws(Fault) -> ODataValue {
        if let whole = Comparison.integer(factor), !isDivision {
            let (product, overflow) = value.picoseconds.multipliedReportingOverflow(by: Int128(whole))
            guard !overflow else {
                throw beyond
            }
            return .duration(EdmDuration(picoseconds: product))
        }
        let double = Comparison.double(factor)
        guard Comparison.decimal(factor) != nil || double != nil else {
            return .null
        }
        guard value.picoseconds.magnitude < EdmDecimal.powers[38],
            let decimal = Comparison.decimal(factor) ?? double.flatMap({ EdmDecimal("\($0)") })
        else {
            throw beyond
        }
        let length = EdmDecimal(significand: value.picoseconds.magnitude, scale: 0, isNegative: value.picoseconds < 0)
        if isDivision, decimal.significand == 0 {
            throw Fault(.arithmetic, "division by zero", offset: beyond.offset)
        }
        guard let result = isDivision ? length.divided(by: decimal) : length.multiplied(by: decimal) else {
            throw beyond
        }
        let rounded = result.rounded(.halfAwayFromZero)
        guard rounded.scale == 0, let magnitude = Int128(exactly: rounded.significand) else {
            throw beyond
        }
        return .duration(EdmDuration(picoseconds: rounded.isNegative ? -magnitude : magnitude))
    }
}
