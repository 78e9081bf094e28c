/// Holds an `Edm.DateTime` of versions 1.0 to 3.0: a day and a time without a zone.
///
/// Source: MS-ODATA, `dateTimeUriLiteral`; odata.md 2.9.
public struct EdmDateTime: Sendable, Hashable, Comparable {
    public let date: EdmDate
    public let time: EdmTimeOfDay

    public init(date: EdmDate, time: EdmTimeOfDay) {
        self.date = date
        self.time = time
    }

    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDateTime(bytes: $0) }) else { return nil }
        self = value
    }

    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        guard let value = Self.read(&reader), reader.isAtEnd else { return nil }
        self = value
    }

    static func read(_ reader: inout ByteReader) -> EdmDateTime? {
        guard let date = EdmDate.read(&reader), reader.eat(UInt8(ascii: "T")), let time = EdmTimeOfDay.read(&reader) else { return nil }
        return EdmDateTime(date: date, time: time)
    }

    /// Counts seconds since 1970-01-01T00:00:00, without regard to a zone.
    public var secondsSinceEpoch: Int64 { date.daysSinceEpoch * 86_400 + time.secondsOfDay }

    /// Finds the day and time by seconds since 1970; nil beyond the largest year.
    public init?(secondsSinceEpoch seconds: Int64, picosecond: Int64 = 0) {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        guard let date = EdmDate(daysSinceEpoch: days), let time = EdmTimeOfDay(secondsOfDay: seconds - days * 86_400, picosecond: picosecond)
        else { return nil }
        self.init(date: date, time: time)
    }

    public static func < (a: EdmDateTime, b: EdmDateTime) -> Bool {
        (a.date, a.time) < (b.date, b.time)
    }
}

extension EdmDateTime: CustomStringConvertible {
    public var description: String { "\(date)T\(time)" }
}
