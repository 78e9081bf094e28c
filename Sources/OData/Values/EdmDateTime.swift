/// An `Edm.DateTime` of versions 1.0 to 3.0: a date and a time without a time zone.
///
/// Source: MS-ODATA, `dateTimeUriLiteral`.
public struct EdmDateTime: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The date.
    public let date: EdmDate
    /// The time of day.
    public let time: EdmTimeOfDay

    /// Creates a value from a date and a time.
    public init(date: EdmDate, time: EdmTimeOfDay) {
        self.date = date
        self.time = time
    }

    /// Parses the text of a date and time; nil if it is malformed.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDateTime(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a date and time; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        guard let value = Self.read(&reader), reader.isAtEnd else { return nil }
        self = value
    }

    static func read(_ reader: inout ByteReader) -> EdmDateTime? {
        if let plain = readPlain(&reader) {
            return plain
        }
        guard let date = EdmDate.read(&reader), reader.eat(UInt8(ascii: "T")), let time = EdmTimeOfDay.read(&reader)
        else {
            return nil
        }
        return EdmDateTime(date: date, time: time)
    }

    /// Reads the most frequent form: `yyyy-mm-ddThh:mm:ss` with an optional fraction. Returns nil for other text and
    /// does not move the reader.
    @inline(__always)
    private static func readPlain(_ reader: inout ByteReader) -> EdmDateTime? {
        let start = reader.position
        let bytes = reader.bytes
        guard bytes.count - start >= 19, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            bytes[start + 10] == UInt8(ascii: "T"), bytes[start + 13] == UInt8(ascii: ":"),
            bytes[start + 16] == UInt8(ascii: ":")
        else {
            return nil
        }
        var areDigits = true
        func pair(_ offset: Int) -> Int {
            let (tens, ones) = (bytes[start + offset] &- 48, bytes[start + offset + 1] &- 48)
            areDigits = tens <= 9 && ones <= 9 && areDigits
            return Int(tens &* 10 &+ ones)
        }
        let year = pair(0) * 100 + pair(2)
        let (month, day, hour, minute, second) = (pair(5), pair(8), pair(11), pair(14), pair(17))
        guard areDigits, let date = EdmDate(year: year, month: month, day: day) else { return nil }
        reader.position = start + 19
        var fraction: Int64 = 0
        if reader.eat(UInt8(ascii: ".")) {
            guard let read = reader.picoseconds() else {
                reader.position = start
                return nil
            }
            fraction = read
        }
        guard let time = EdmTimeOfDay(hour: hour, minute: minute, second: second, picosecond: fraction) else {
            reader.position = start
            return nil
        }
        return EdmDateTime(date: date, time: time)
    }

    /// The number of seconds since 1970-01-01T00:00:00, without a time zone.
    public var secondsSinceEpoch: Int64 { date.daysSinceEpoch * 86_400 + time.secondsOfDay }

    /// Creates a date and time from seconds since 1970-01-01T00:00:00; nil if the year is out of range.
    public init?(secondsSinceEpoch seconds: Int64, picosecond: Int64 = 0) {
        var (days, secondsOfDay) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if secondsOfDay < 0 {
            days -= 1
            secondsOfDay += 86_400
        }
        guard let date = EdmDate(daysSinceEpoch: days),
            let time = EdmTimeOfDay(secondsOfDay: secondsOfDay, picosecond: picosecond)
        else {
            return nil
        }
        self.init(date: date, time: time)
    }

    public static func < (a: EdmDateTime, b: EdmDateTime) -> Bool {
        (a.date, a.time) < (b.date, b.time)
    }
}

extension EdmDateTime: CustomStringConvertible {
    public var description: String { "\(date)T\(time)" }
}
