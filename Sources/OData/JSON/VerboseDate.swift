/// Reads `/Date(ms)/` and `/Date(ms+minutes)/`, the dates of verbose JSON.
///
/// Milliseconds count from 1970 in UTC; the signed suffix is a number of minutes (odata.org, JSON Format of OData 2.0),
/// which makes it a DateTimeOffset.
enum VerboseDate {
    enum Outcome {
        case value(ODataValue)
        /// The text has the form of a date, but the date is out of range.
        case outOfRange
        /// The text does not have the form of a date.
        case none
    }

    /// 0001-01-01 to 9999-12-31 in milliseconds.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reads such a date as a DateTime or a DateTimeOffset; nil for anything else.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType) -> ODataValue? {
        guard case .value(let date) = read(bytes) else { return nil }
        switch (date, type) {
        case (.dateTime(let local), .dateTimeOffset):
            return EdmDateTimeOffset(local: local, offsetMinutes: 0).map(ODataValue.dateTimeOffset)
        case (.dateTimeOffset(let value), .dateTime):
            // A DateTime has no time zone: it gets the instant in UTC.
            return EdmDateTimeOffset(
                secondsSinceEpoch: value.secondsSinceEpoch, picosecond: value.local.time.picosecond
            ).map { .dateTime($0.local) }
        default: return date
        }
    }

    /// Writes a DateTime or DateTimeOffset; nil for parts of a millisecond and for other values.
    static func text(of value: ODataValue) -> String? {
        func milliseconds(_ seconds: Int64, _ picosecond: Int64) -> Int64? {
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
            guard !overflow, range.contains(whole), picosecond % 1_000_000_000 == 0 else { return nil }
            return whole + picosecond / 1_000_000_000
        }
        switch value {
        case .dateTime(let date):
            return milliseconds(date.secondsSinceEpoch, date.time.picosecond).map { "/Date(\($0))/" }
        case .dateTimeOffset(let date):
            let minutes = Int(date.offsetMinutes)
            let suffix = (minutes < 0 ? "-" : "+") + String(repeating: "0", count: 4 - min(4, "\(abs(minutes))".count))
            return milliseconds(date.secondsSinceEpoch, date.local.time.picosecond).map {
                "/Date(\($0)\(suffix)\(abs(minutes)))/"
            }
        default: return nil
        }
    }

    static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
        let prefix = "/Date(".utf8
        guard bytes.count >= 9, bytes.starts(with: prefix), bytes[bytes.count - 1] == UInt8(ascii: "/"),
            bytes[bytes.count - 2] == UInt8(ascii: ")")
        else {
            return .none
        }
        var index = prefix.count
        let end = bytes.count - 2
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative {
            index += 1
        }
        guard let milliseconds = number(bytes, &index, end) else {
            return .none
        }
        var minutes: Int64?
        if index < end {
            let sign = bytes[index]
            guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
                return .none
            }
            index += 1
            let start = index
            guard let value = number(bytes, &index, end), index == end, index - start <= 4 else {
                return .none
            }
            minutes = sign == UInt8(ascii: "-") ? -value : value
        }
        let total = isNegative ? -milliseconds : milliseconds
        guard range.contains(total) else {
            return .outOfRange
        }
        let local = total + (minutes ?? 0) * 60_000
        let seconds = local >= 0 ? local / 1_000 : (local - 999) / 1_000
        guard range.contains(local),
            let date = EdmDateTime(secondsSinceEpoch: seconds, picosecond: (local - seconds * 1_000) * 1_000_000_000)
        else {
            return .outOfRange
        }
        guard let minutes else {
            return .value(.dateTime(date))
        }
        guard let value = EdmDateTimeOffset(local: date, offsetMinutes: Int(minutes)) else {
            return .outOfRange
        }
        return .value(.dateTimeOffset(value))
    }

    /// Reads digits as a number. A number that is too large becomes one that is out of the range of dates.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int) -> Int64? {
        let start = index
        var value: Int64 = 0
        while index < end, bytes[index] &- 0x30 <= 9 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            value = overflow || product > Int64.max - 9 ? Int64.max / 2 : product + Int64(bytes[index] - 0x30)
            index += 1
        }
        return index > start ? min(value, Int64.max / 2) : nil
    }
}
