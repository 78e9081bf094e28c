/// An `Edm.TimeOfDay` with up to twelve fractional digits; also the time of a date and time.
///
/// Source: OData ABNF, rule `timeOfDayValue`. Second 60 is allowed for leap seconds; hour 24 is not allowed.
public struct EdmTimeOfDay: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The hour, from 0 to 23.
    public let hour: UInt8
    /// The minute, from 0 to 59.
    public let minute: UInt8
    /// The second, from 0 to 60: a leap second is allowed.
    public let second: UInt8
    /// The fraction of the second, in picoseconds.
    public let picosecond: Int64

    /// Creates a time; nil if a part is out of range.
    public init?(hour: Int, minute: Int, second: Int = 0, picosecond: Int64 = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (0..<1_000_000_000_000).contains(picosecond)
        else {
            return nil
        }
        self.hour = UInt8(hour)
        self.minute = UInt8(minute)
        self.second = UInt8(second)
        self.picosecond = picosecond
    }

    /// Parses the text of a time; nil if it is malformed.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmTimeOfDay(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a time; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        guard let value = Self.read(&reader), reader.isAtEnd else { return nil }
        self = value
    }

    /// Reads `hh:mm` or `hh:mm:ss`, optionally with up to twelve digits after a decimal point.
    static func read(_ reader: inout ByteReader) -> EdmTimeOfDay? {
        guard let hour = reader.number(digits: 2), reader.eat(UInt8(ascii: ":")), let minute = reader.number(digits: 2)
        else {
            return nil
        }
        guard reader.eat(UInt8(ascii: ":")) else {
            return EdmTimeOfDay(hour: hour, minute: minute)
        }
        guard let second = reader.number(digits: 2) else { return nil }
        guard reader.eat(UInt8(ascii: ".")) else {
            return EdmTimeOfDay(hour: hour, minute: minute, second: second)
        }
        guard let fraction = reader.picoseconds() else { return nil }
        return EdmTimeOfDay(hour: hour, minute: minute, second: second, picosecond: fraction)
    }

    /// The number of whole seconds since midnight. A leap second counts as the first second of the next minute.
    public var secondsOfDay: Int64 { Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second) }

    /// Creates a time from seconds since midnight, less than one day.
    init?(secondsOfDay seconds: Int64, picosecond: Int64) {
        guard (0..<86_400).contains(seconds) else { return nil }
        self.init(
            hour: Int(seconds / 3_600), minute: Int(seconds / 60 % 60), second: Int(seconds % 60),
            picosecond: picosecond)
    }

    public static func < (a: EdmTimeOfDay, b: EdmTimeOfDay) -> Bool {
        (a.hour, a.minute, a.second, a.picosecond) < (b.hour, b.minute, b.second, b.picosecond)
    }
}

extension EdmTimeOfDay: CustomStringConvertible {
    /// The canonical text: always with seconds, and with a fraction without trailing zeros if it is not zero.
    public var description: String {
        EdmDate.twoDigits(hour) + ":" + EdmDate.twoDigits(minute) + ":" + EdmDate.twoDigits(second)
            + Self.fraction(picosecond)
    }

    /// A decimal point and digits for picoseconds; empty for zero.
    static func fraction(_ picosecond: Int64) -> String {
        guard picosecond > 0 else {
            return ""
        }
        let digits = Array(String(picosecond).utf8)
        var text = Array(repeating: UInt8(ascii: "0"), count: 12 - digits.count) + digits
        while text.last == UInt8(ascii: "0") {
            text.removeLast()
        }
        return "." + String(decoding: text, as: UTF8.self)
    }
}
