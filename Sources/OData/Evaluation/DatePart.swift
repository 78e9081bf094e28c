/// A part of a date, time or duration, in the offset that the value was written with.
enum DatePart {
    case year, month, day, hour, minute, second, fractionalSeconds
    case date, time, totalOffsetMinutes, totalSeconds

    /// The part of a value; null if values of its type do not have the part.
    func value(of value: ODataValue) -> ODataValue {
        switch self {
        case .totalSeconds:
            guard case .duration(let duration) = value else {
                return .null
            }
            // The longest durations have 39 digits, one more than a decimal.
            let length = EdmDecimal.fitting(
                duration.picoseconds.magnitude, scale: 12, isNegative: duration.picoseconds < 0)
            return length.map { .decimal(Self.withoutTrailingZeros($0)) } ?? .null
        case .totalOffsetMinutes:
            guard case .dateTimeOffset(let instant) = value else {
                return .null
            }
            return .int32(Int32(instant.offsetMinutes))
        case .date: return Self.date(of: value).map(ODataValue.date) ?? .null
        case .time: return Self.time(of: value).map(ODataValue.timeOfDay) ?? .null
        case .year: return Self.date(of: value).map { .int32($0.year) } ?? .null
        case .month: return Self.date(of: value).map { .int32(Int32($0.month)) } ?? .null
        case .day: return Self.date(of: value).map { .int32(Int32($0.day)) } ?? .null
        case .hour: return Self.time(of: value).map { .int32(Int32($0.hour)) } ?? .null
        case .minute: return Self.time(of: value).map { .int32(Int32($0.minute)) } ?? .null
        case .second: return Self.time(of: value).map { .int32(Int32($0.second)) } ?? .null
        case .fractionalSeconds:
            return Self.time(of: value).map {
                .decimal(
                    Self.withoutTrailingZeros(
                        EdmDecimal(significand: UInt128($0.picosecond), scale: 12, isNegative: false)))
            } ?? .null
        }
    }

    /// `1.500` as `1.5`, `2.0` as `2`.
    private static func withoutTrailingZeros(_ value: EdmDecimal) -> EdmDecimal {
        let reduced = value.reduced
        guard reduced.scale < 0 else {
            return reduced
        }
        return EdmDecimal(
            significand: reduced.significand * EdmDecimal.powers[min(-reduced.scale, 38)], scale: 0,
            isNegative: reduced.isNegative)
    }

    private static func date(of value: ODataValue) -> EdmDate? {
        switch value {
        case .date(let date): date
        case .dateTime(let local): local.date
        case .dateTimeOffset(let instant): instant.local.date
        default: nil
        }
    }

    private static func time(of value: ODataValue) -> EdmTimeOfDay? {
        switch value {
        case .timeOfDay(let time): time
        case .dateTime(let local): local.time
        case .dateTimeOffset(let instant): instant.local.time
        // The duration that versions up to 3.0 use for a time of day.
        case .time(let duration):
            Int64(exactly: duration.picoseconds / EdmDuration.second).flatMap {
                EdmTimeOfDay(secondsOfDay: $0, picosecond: Int64(duration.picoseconds % EdmDuration.second))
            }
        default: nil
        }
    }
}
