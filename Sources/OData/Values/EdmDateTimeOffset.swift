/// An `Edm.DateTimeOffset`: a local date and time with its offset from UTC.
///
/// Values are compared by instant. Parts such as the year are those of the local date and time.
public struct EdmDateTimeOffset: Sendable, BitwiseCopyable {
    /// The date and time at the offset.
    public let local: EdmDateTime
    /// Minutes east of UTC, from -1439 to 1439.
    public let offsetMinutes: Int16

    /// Creates a value; nil if the offset is a day or more.
    public init?(local: EdmDateTime, offsetMinutes: Int) {
        guard abs(offsetMinutes) < 24 * 60 else { return nil }
        self.local = local
        self.offsetMinutes = Int16(offsetMinutes)
    }

    /// Parses the text of a date and time with its offset; nil if it is malformed.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDateTimeOffset(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a date and time; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        guard let value = Self.read(&reader), reader.isAtEnd else { return nil }
        self = value
    }

    static func read(_ reader: inout ByteReader) -> EdmDateTimeOffset? {
        guard let local = EdmDateTime.read(&reader) else { return nil }
        if reader.eat(UInt8(ascii: "Z")) {
            return EdmDateTimeOffset(local: local, offsetMinutes: 0)
        }
        let negative = reader.eat(UInt8(ascii: "-"))
        guard negative || reader.eat(UInt8(ascii: "+")), let hour = reader.number(digits: 2), hour < 24,
            reader.eat(UInt8(ascii: ":")),
            let minute = reader.number(digits: 2), minute < 60
        else {
            return nil
        }
        let offset = hour * 60 + minute
        return EdmDateTimeOffset(local: local, offsetMinutes: negative ? -offset : offset)
    }

    /// The number of whole seconds since 1970-01-01T00:00:00Z; the fraction is `local.time.picosecond`.
    public var secondsSinceEpoch: Int64 { local.secondsSinceEpoch - Int64(offsetMinutes) * 60 }

    /// Creates a value in UTC from seconds since 1970-01-01T00:00:00Z.
    public init?(secondsSinceEpoch seconds: Int64, picosecond: Int64 = 0) {
        guard let local = EdmDateTime(secondsSinceEpoch: seconds, picosecond: picosecond) else {
            return nil
        }
        self.init(local: local, offsetMinutes: 0)
    }
}

extension EdmDateTimeOffset: Comparable, Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        a.secondsSinceEpoch == b.secondsSinceEpoch && a.local.time.picosecond == b.local.time.picosecond
    }

    public static func < (a: Self, b: Self) -> Bool {
        (a.secondsSinceEpoch, a.local.time.picosecond) < (b.secondsSinceEpoch, b.local.time.picosecond)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(secondsSinceEpoch)
        hasher.combine(local.time.picosecond)
    }
}

extension EdmDateTimeOffset: CustomStringConvertible {
    /// The canonical text: always with seconds, and with `Z` for offset zero.
    public var description: String {
        if offsetMinutes == 0 {
            return "\(local)Z"
        }
        let minutes = UInt16(abs(offsetMinutes))
        return "\(local)" + (offsetMinutes < 0 ? "-" : "+") + EdmDate.twoDigits(UInt8(minutes / 60)) + ":"
            + EdmDate.twoDigits(UInt8(minutes % 60))
    }
}
