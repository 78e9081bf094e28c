import OData
import Soups

/// What the values of a member are mostly about.
///
/// Documents and filters draw from the same few values, chosen where an index and an evaluation could differ, so that
/// they meet often.
enum Subject: Sendable {
    /// Words that differ in case, or in what a pattern takes for a wildcard.
    case words
    /// Texts that go on after a common beginning with characters of every size.
    case beginnings
    /// Texts that look like other JSON, and what they look like.
    case spellings
    case flags
    case guids
    case dates
    case instants
    case times
    /// Integers that are one double or out of the range of a type, and their neighbours.
    case integers
    /// Numbers that are one single.
    case singles
    /// Numbers that differ after more digits than a double has.
    case decimals
    /// The ids of rows.
    case ids

    /// The subjects of the members of documents.
    static let drawn: [Subject] = [
        .words, .beginnings, .spellings, .spellings, .flags, .guids, .dates, .instants, .times, .integers, .singles,
        .decimals,
    ]

    // MARK: - Values

    /// Texts, without quotes and escapes.
    var texts: [String] {
        switch self {
        case .words:
            [
                "Milk", "milk", "MILK", "M", "mi", "a_b", "axb", "50% off", "50 off", "ab", "a", "B", "it's",
                "e\u{301}",
                "\u{E9}", "",
            ]
        case .beginnings:
            [
                "a", "ab", "az", "azz", "a{", "a~", "a\u{E9}", "a\u{FFFF}", "a\u{10000}", "a\u{10FFFF}",
                "a\u{10FFFF}b", "\u{D7FF}", "\u{D7FF}x", "\u{E000}", "\u{10FFFF}", "\u{10FFFF}a", "a\"b", "a\\b", "b",
                "",
            ]
        case .spellings:
            [
                "5", " 5", "+5", ".5", "5.", "5e0", "5.0", "-5", "50e-1", "true", "false", "null", "[1]", "[", "{}",
                "{",
                "INF", "-INF", "NaN", "1e400", "0", "1", "2.5", "",
            ]
        case .flags: ["true", "false", "1", "0", "TRUE"]
        case .guids:
            [
                "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
                "3f2504E0-4f89-11D3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3302",
                "00000000-0000-0000-0000-000000000001",
            ]
        case .dates:
            [
                "2013-01-01", "2013-01-02", "2012-12-31", "9999-12-31", "10000-01-01", "12013-05-05", "0001-01-01",
                "-0044-03-15", "2013-02-30", "2013-01-01T00:00:00Z", "2013-01-01T04:30",
            ]
        case .instants:
            [
                "2013-01-01T04:30:00Z", "2012-12-31T23:30:00-05:00", "2013-01-01T04:30Z", "2013-01-01T05:30:00+01:00",
                "2013-01-01T04:30:00", "2013-01-01T04:30", "2013-01-01T04:29:60", "2013-01-01T04:29:60Z",
                "2013-01-01T04:30:00.5", "2013-01-01T04:30:00.500Z", "2013-01-02T05:00:00+23:00",
                "10000-01-01T00:00:00Z", "12013-01-01T04:30", "2012-12-31T23:59:60Z", "9999-12-31T23:30:00-23:00",
            ]
        case .times: ["13:45", "13:45:00", "13:44:60", "13:45:00.0", "13:45:01", "23:59:60", "00:00", "13:44"]
        case .integers: ["9007199254740993", "5"]
        case .singles: ["16777217", "0.1"]
        case .decimals: ["INF", "-INF", "NaN", "2.5", "1e400", " 2.5"]
        case .ids: []
        }
    }

    /// Numbers as they are written in JSON.
    var numbers: [String] {
        switch self {
        case .spellings: ["5", "5.0", "5e0", "50e-1", "-5", "0", "1", "2.5", "1e400"]
        case .flags: ["1", "0", "1.0", "2"]
        case .integers:
            [
                "0", "1", "-0", "-1", "5", "9007199254740991", "9007199254740992", "9007199254740993",
                "9007199254740994", "-9007199254740993", "9223372036854775807", "9223372036854775806",
                "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "255", "256", "-129", "32768",
                "3000000000",
            ]
        case .singles:
            [
                "16777215", "16777216", "16777217", "16777218", "33554432", "33554433", "0.1", "0.10000000149011612",
                "0.1000000015", "2.5",
            ]
        case .decimals:
            [
                "2.5", "2.50", "2.5e0", "2.50000000000000000001", "2.49999999999999999999", "-2.5", "0.1",
                "0.10000000000000000001", "0.30000000000000004", "0.3", "5", "5.0", "50e-1", "4.9999999999999999999e0",
                "1e400", "-1e400", "1e-400", "1e22", "12345678901234567890123",
                "123456789012345678901234567890123456789", "1234567890123456789.5", "1.5e300", "0", "-0",
            ]
        case .ids: ["0", "1", "2", "3", "5", "9", "14", "2.5", "3.0"]
        default: []
        }
    }

    // MARK: - Types and indexes

    /// The types that a model may declare for the member.
    func types(_ version: ODataVersion) -> [EdmPrimitiveType] {
        switch self {
        case .words, .beginnings: [.string]
        case .spellings: [.string, .string, .string, .int64, .double, .boolean, .decimal]
        case .flags: [.boolean, .boolean, .string, .byte]
        case .guids: [.guid, .guid, .string]
        case .dates: version.isV4 ? [.date, .date, .dateTimeOffset, .string] : [.dateTime, .string]
        case .instants: version.isV4 ? [.dateTimeOffset, .dateTimeOffset, .string] : [.dateTimeOffset, .dateTime]
        case .times: version.isV4 ? [.timeOfDay, .timeOfDay, .string] : [.dateTime, .string]
        case .integers: [.int64, .int64, .int32, .double, .double, .decimal, .byte, .int16, .sbyte]
        case .singles: [.single, .single, .double]
        case .decimals: [.decimal, .decimal, .double, .double, .single, .int64]
        case .ids: [.int64]
        }
    }

    /// The types of indexes that the member may have; nil for no index.
    var indexTypes: [IndexType?] {
        switch self {
        case .integers, .singles, .decimals, .ids: [nil, .json1, .json1, .json1, .integer, .floating, .string]
        case .spellings: [nil, .string, .string, .string, .string, .json1, .fullText, .integer]
        case .flags: [nil, .integer, .floating, .string, .json1]
        default: [nil, .string, .string, .string, .json1, .json1, .fullText, .integer]
        }
    }

    /// The kinds of literals that the member is mostly compared with.
    var literals: [RandomLiteral.Kind] {
        switch self {
        case .words, .beginnings: [.text]
        case .spellings: [.text, .text, .text, .number, .flag]
        case .flags: [.flag, .flag, .flag, .text, .number]
        case .guids: [.guid, .guid, .guid, .text]
        case .dates: [.date, .date, .date, .dateTime, .dateTime, .text]
        case .instants: [.instant, .instant, .instant, .dateTime, .dateTime, .text]
        case .times: [.time, .time, .time, .dateTime, .text]
        case .integers, .singles, .decimals, .ids: [.number]
        }
    }
}
