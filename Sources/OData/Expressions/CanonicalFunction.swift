/// The functions that the protocol defines, with their versions and numbers of arguments.
///
/// Source: MS-ODATA 2.2.3.6.1.1 and OData URL Conventions 4.01, built-in functions.
public enum CanonicalFunction: UInt8, Sendable, CaseIterable {
    // MARK: - Strings

    /// `substringof(part, text)`: whether the text contains the part. Up to version 3.0.
    case substringof
    /// `contains(text, part)`: whether the text contains the part. Since version 4.0.
    case contains
    /// `startswith(text, start)`: whether the text begins with the other one.
    case startswith
    /// `endswith(text, end)`: whether the text ends with the other one.
    case endswith
    /// `length(text)`: the number of characters.
    case length
    /// `indexof(text, part)`: the index of the first character of the part; -1 if the text does not contain it.
    case indexof
    /// `replace(text, part, other)`: the text with all occurrences of the part replaced. Up to version 3.0.
    case replace
    /// `substring(text, start, length)`: the characters from an index on; the length may be left out.
    case substring
    /// `tolower(text)`: the text in lower case.
    case tolower
    /// `toupper(text)`: the text in upper case.
    case toupper
    /// `trim(text)`: the text without white space at both ends.
    case trim
    /// `concat(a, b)`: two texts, or two collections, joined.
    case concat
    /// `matchesPattern(text, pattern)`: whether a regular expression finds a match. Since version 4.01.
    case matchesPattern

    // MARK: - Dates and times

    /// `year(date)`: the year.
    case year
    /// `month(date)`: the month, from 1 to 12.
    case month
    /// `day(date)`: the day of the month, from 1 to 31.
    case day
    /// `hour(time)`: the hour, from 0 to 23.
    case hour
    /// `minute(time)`: the minute, from 0 to 59.
    case minute
    /// `second(time)`: the second, from 0 to 60.
    case second
    /// `fractionalseconds(time)`: the fraction of the second. Since version 4.0.
    case fractionalseconds
    /// `date(instant)`: the date. Since version 4.0.
    case date
    /// `time(instant)`: the time of day. Since version 4.0.
    case time
    /// `totaloffsetminutes(instant)`: the offset from UTC in minutes. Since version 4.0.
    case totaloffsetminutes
    /// `totalseconds(duration)`: the duration in seconds. Since version 4.0.
    case totalseconds
    /// `now()`: the current instant, the same for a whole query. Since version 4.0.
    case now
    /// `mindatetime()`: the earliest possible instant. Since version 4.0.
    case mindatetime
    /// `maxdatetime()`: the latest possible instant. Since version 4.0.
    case maxdatetime

    // MARK: - Numbers

    /// `round(number)`: the nearest integer; halves are rounded away from zero.
    case round
    /// `floor(number)`: the largest integer that is not greater.
    case floor
    /// `ceiling(number)`: the smallest integer that is not less.
    case ceiling

    // MARK: - Shapes and collections

    /// `geo.distance(a, b)`: the distance between two points. Since version 3.0.
    case geoDistance
    /// `geo.length(line)`: the length of a line. Since version 3.0.
    case geoLength
    /// `geo.intersects(point, polygon)`: whether the polygon contains the point. Since version 3.0.
    case geoIntersects
    /// `hassubset(a, b)`: whether the first collection contains all elements of the second. Since version 4.01.
    case hassubset
    /// `hassubsequence(a, b)`: the same, with the elements in the same order. Since version 4.01.
    case hassubsequence

    /// The name in a text, such as `geo.distance`.
    public var name: String {
        switch self {
        case .geoDistance: "geo.distance"
        case .geoLength: "geo.length"
        case .geoIntersects: "geo.intersects"
        case .substringof, .contains, .startswith, .endswith, .length, .indexof, .replace, .substring, .tolower,
            .toupper, .trim, .concat, .matchesPattern, .year, .month, .day, .hour, .minute, .second, .fractionalseconds,
            .date, .time, .totaloffsetminutes, .totalseconds, .now, .mindatetime, .maxdatetime, .round, .floor,
            .ceiling, .hassubset, .hassubsequence:
            String(describing: self)
        }
    }

    /// The allowed numbers of arguments.
    public var arity: ClosedRange<Int> {
        switch self {
        case .now, .mindatetime, .maxdatetime: 0...0
        case .substringof, .contains, .startswith, .endswith, .indexof, .concat, .matchesPattern, .geoDistance,
            .geoIntersects, .hassubset,
            .hassubsequence:
            2...2
        case .substring: 2...3
        case .replace: 3...3
        case .length, .tolower, .toupper, .trim, .year, .month, .day, .hour, .minute, .second, .fractionalseconds,
            .date, .time, .totaloffsetminutes, .totalseconds, .round, .floor, .ceiling, .geoLength:
            1...1
        }
    }

    /// Says whether the function exists in a version.
    public func isKnown(in version: ODataVersion) -> Bool {
        switch self {
        case .substringof, .replace: !version.isV4
        case .contains, .fractionalseconds, .date, .time, .totaloffsetminutes, .totalseconds, .now, .mindatetime,
            .maxdatetime:
            version.isV4
        case .matchesPattern, .hassubset, .hassubsequence: version == .v401
        case .geoDistance, .geoLength, .geoIntersects: version >= .v3
        case .startswith, .endswith, .length, .indexof, .substring, .tolower, .toupper, .trim, .concat, .year, .month,
            .day, .hour, .minute, .second, .round, .floor, .ceiling:
            true
        }
    }

    /// The function with a name; `nil` if no function has it. Case-sensitive unless `ignoringCase` is true.
    static func find(_ name: UnsafeBufferPointer<UInt8>, ignoringCase: Bool) -> CanonicalFunction? {
        guard name.count < byLength.count else { return nil }
        for (candidate, function) in byLength[name.count] where matches(candidate, name, ignoringCase: ignoringCase) {
            return function
        }
        return nil
    }

    private static func matches(_ a: [UInt8], _ b: UnsafeBufferPointer<UInt8>, ignoringCase: Bool) -> Bool {
        for index in 0..<b.count where a[index] != b[index] {
            guard ignoringCase, a[index] | 0x20 == b[index] | 0x20, b[index] | 0x20 >= UInt8(ascii: "a") else {
                return false
            }
        }
        return true
    }

    /// The functions by the length of their names, so that a name is compared with only a few of them.
    private static let byLength: [[([UInt8], CanonicalFunction)]] = {
        let longest = allCases.map(\.name.utf8.count).max() ?? 0
        var table = Array(repeating: [([UInt8], CanonicalFunction)](), count: longest + 1)
        for function in allCases {
            table[function.name.utf8.count].append((Array(function.name.utf8), function))
        }
        return table
    }()
}
