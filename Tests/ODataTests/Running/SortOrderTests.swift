import JSONText
import OData
import TestSupport
import Testing

/// `$orderby` is a total order over any data.
@Suite struct SortOrderTests {
    @Test func `sorting does not depend on the order of the data`() throws {
        var random = SeededRandom(seed: 20_261_122)
        let values = try Self.texts.map { try JSONValue(parsing: $0) }
        let runner = try ODataOptionRunner("$orderby=V,N")
        let entities = values.enumerated().map { index, value -> JSONValue in
            ["V": value, "N": .number(JSONNumber(Int64(index)))]
        }
        let expected = try runner.apply(to: entities).entities.map { $0.text() }
        for _ in 0..<50 {
            let shuffled = entities.shuffled(using: &random)
            #expect(try runner.apply(to: shuffled).entities.map { $0.text() } == expected)
        }
    }

    @Test func `descending is the reverse`() throws {
        let entities = try Self.texts.enumerated().map { try JSONValue(parsing: "{\"V\":\($1),\"N\":\($0)}") }
        let ascending = try ODataOptionRunner("$orderby=V").apply(to: entities).entities
        let descending = try ODataOptionRunner("$orderby=V desc").apply(to: entities).entities
        #expect(ascending.map { $0.text() } == descending.reversed().map { $0.text() })
    }

    private static let texts = [
        "null", "true", "false", "5", "5.0", "\"5\"", "\"a\"", "7", "\"B\"", "\"\"", "-0.0", "0", "1e400", "-1e400",
        "0.1",
        "1e-1", "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257828", "9007199254740993",
        "9007199254740992e0", "9007199254740991.5", "123456789012345678901234567890", "1.2345678901234568e29", "5e-324",
        "[1]", "{}", "{\"a\":1}", "[]", "\"\u{e9}\"", "\"e\u{301}\"", "\"\u{ffff}\"", "\"\u{10000}\"",
    ]
}
