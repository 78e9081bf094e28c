/// An `Edm.Date`: a day in the proleptic Gregorian calendar. Years may be zero, negative or longer than four digits.
///
/// Source: OData ABNF, rule `date`.
public struct EdmDate: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The year, from -999,999,999 to 999,999,999.
    public let year: Int32
    /// The month, from 1 to 12.
    public let month: UInt8
    /// The day, from 1 to 31.
    public let day: UInt8

    /// Creates a date; nil if it does not exist, such as 2012-02-30.
    public init?(year: Int, month: Int, day: Int) {
        guard abs(year) <= Self.maximumYear, (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else {
            return nil
        }
        self.year = Int32(year)
        self.month = UInt8(month)
        self.day = UInt8(day)
    }

    /// The largest absolute value of a year. The limit of this library, so that every instant fits into 64 bits.
    public static let maximumYear = 999_999_999

    /// Parses the text of a date; nil if it is malformed.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDate(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a date; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        guard let value = Self.read(&reader), reader.isAtEnd else { return nil }
        self = value
    }

    static func read(_ reader: inout ByteReader) -> EdmDate? {
        let negative = reader.eat(UInt8(ascii: "-"))
        let start = reader.position
        let digits = reader.skipDigits()
        // A year has four digits, or more without a leading zero.
        guard digits >= 4, digits <= 9, digits == 4 || reader.bytes[start] != UInt8(ascii: "0") else {
            return nil
        }
        reader.position = start
        guard let year = reader.number(digits: digits), reader.eat(UInt8(ascii: "-")),
            let month = reader.number(digits: 2), reader.eat(UInt8(ascii: "-")), let day = reader.number(digits: 2)
        else {
            return nil
        }
        return EdmDate(year: negative ? -year : year, month: month, day: day)
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    public static func < (a: EdmDate, b: EdmDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

extension EdmDate {
    /// The number of days since 1970-01-01. It is computed in periods of 400 years (146,097 days) that start on March
    /// 1.
    public var daysSinceEpoch: Int64 {
        let y = Int64(year) - (month <= 2 ? 1 : 0)
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (Int64(month) + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Creates a date from the number of days since 1970-01-01; nil if the year is out of range.
    public init?(daysSinceEpoch days: Int64) {
        guard abs(days) < 366_000_000_000 else { return nil }
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        self.init(
            year: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), month: Int(month),
            day: Int(dayOfYear - (153 * shifted + 2) / 5 + 1))
    }
}

extension EdmDate: CustomStringConvertible {
    /// The canonical text: the year has at least four digits, and a minus if it is negative.
    public var description: String {
        let digits = String(abs(Int(year)))
        let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return (year < 0 ? "-" : "") + padded + "-" + Self.twoDigits(month) + "-" + Self.twoDigits(day)
    }

    static func twoDigits(_ value: UInt8) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
