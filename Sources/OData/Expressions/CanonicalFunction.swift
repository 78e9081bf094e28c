/// The functions that the protocol defines, with their versions and numbers of arguments.
///
/// Source: MS-ODATA 2.2.3.6.1.1 and OData URL Conventions 4.01, built-in functions.
public enum CanonicalFunction: UInt8, Sendable, CaseIterable {
    case substringof, contains, startswith, endswith, length, indexof, replace, substring, tolower, toupper, trim,
        concat, matchesPattern
    case year, month, day, hour, minute, second, fractionalseconds, date, time, totaloffsetminutes, totalseconds
    case now, mindatetime, maxdatetime, round, floor, ceiling
    case geoDistance, geoLength, geoIntersects, hassubset, hassubsequence

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

    /// Whether the function exists in a version.
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

    /// The function with a name; nil if there is none. Case-sensitive unless `ignoringCase` is true.
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
