/// An `Edm.Duration`, exact to a picosecond; also an `Edm.Time` of versions 1.0 to 3.0, which has the same text.
///
/// Source: OData ABNF, rule `durationValue`: days, hours, minutes and seconds; no years or months, no leading plus.
public struct EdmDuration: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The length in picoseconds; negative durations are allowed.
    public let picoseconds: Int128

    /// Creates a duration from picoseconds.
    public init(picoseconds: Int128) { self.picoseconds = picoseconds }

    static let second: Int128 = 1_000_000_000_000

    /// Parses the text of a duration; nil if it is malformed.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDuration(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a duration; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        let negative = reader.eat(UInt8(ascii: "-"))
        guard reader.eat(UInt8(ascii: "P")) else { return nil }
        var total: Int128 = 0
        var parts = 0
        if let next = reader.next, next != UInt8(ascii: "T") {
            guard let days = reader.number(), reader.eat(UInt8(ascii: "D")) else { return nil }
            total = Int128(days) * 86_400 * Self.second
            parts += 1
        }
        if reader.eat(UInt8(ascii: "T")) {
            guard let read = Self.readTime(&reader, into: &total), read > 0 else { return nil }
            parts += read
        }
        guard parts > 0, reader.isAtEnd else { return nil }
        self.init(picoseconds: negative ? -total : total)
    }

    /// Reads hours, minutes and seconds in this order, each at most once. Returns how many there were; nil for
    /// malformed text.
    private static func readTime(_ reader: inout ByteReader, into total: inout Int128) -> Int? {
        var parts = 0
        var allowed: Int128 = 3_600
        while !reader.isAtEnd {
            guard let number = reader.number() else { return nil }
            var fraction: Int64 = 0
            if reader.eat(UInt8(ascii: ".")) {
                guard let read = reader.picoseconds(), reader.next == UInt8(ascii: "S") else {
                    return nil
                }
                fraction = read
            }
            let unit: Int128
            if reader.eat(UInt8(ascii: "H")) {
                unit = 3_600
            } else if reader.eat(UInt8(ascii: "M")) {
                unit = 60
            } else if reader.eat(UInt8(ascii: "S")) {
                unit = 1
            } else {
                return nil
            }
            guard unit <= allowed else { return nil }
            allowed = unit - 1
            total += Int128(number) * unit * second + Int128(fraction)
            parts += 1
        }
        return parts
    }

    public static func < (a: EdmDuration, b: EdmDuration) -> Bool { a.picoseconds < b.picoseconds }
}

extension EdmDuration: CustomStringConvertible {
    /// The canonical text: days, hours below 24, minutes and seconds below 60. Parts that are zero are left out; zero
    /// is `PT0S`.
    public var description: String {
        let magnitude = picoseconds.magnitude
        let fraction = Int64(magnitude % Self.second.magnitude)
        let seconds = magnitude / Self.second.magnitude
        let (days, rest) = (seconds / 86_400, seconds % 86_400)
        var time = ""
        if rest / 3_600 > 0 {
            time += "\(rest / 3_600)H"
        }
        if rest / 60 % 60 > 0 {
            time += "\(rest / 60 % 60)M"
        }
        if rest % 60 > 0 || fraction > 0 {
            time += "\(rest % 60)\(EdmTimeOfDay.fraction(fraction))S"
        }
        if days == 0 && time.isEmpty {
            return "PT0S"
        }
        return (picoseconds < 0 ? "-P" : "P") + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T" + time)
    }
}
