import TestSupport

/// Values of documents and literals of filters, chosen where an index and an evaluation could differ.
enum RandomValues {
    /// Numbers as they are written in JSON.
    static let numbers = [
        "0", "1", "-0", "-1", "2", "5", "5.0", "5e0", "50e-1", "0.1", "0.10000000000000000001", "2.5", "2.50",
        "2.50000000000000000001", "2.49999999999999999999", "-2.5", "7", "100", "3000000000", "9007199254740991",
        "9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993", "9223372036854775807",
        "9223372036854775806", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "12345678901234567890123", "123456789012345678901234567890123456789", "1e400", "-1e400", "1e-400", "1e22",
        "4.9999999999999999999e0", "16777216", "16777217", "16777218", "0.30000000000000004", "1.5e300",
        "1234567890123456789.5", "255", "256", "-129", "32768",
    ]

    /// Texts, without quotes and escapes.
    static let texts = [
        "", "a", "b", "ab", "Milk", "milk", "MILK", "M", "5", " 5", "+5", ".5", "5.", "5e0", "5.0", "1e400", "-5",
        "true",
        "false", "null", "[1]", "[", "{}", "{", "INF", "-INF", "NaN", "50% off", "a_b", "axb", "it's", "\u{E9}",
        "e\u{301}",
        "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{10FFFF}a", "\u{D7FF}", "\u{E000}", "Milk\u{10FFFF}", "2.5", "0", "1",
        "2013-01-01", "2013-01-02", "2012-12-31", "9999-12-31", "10000-01-01", "0001-01-01", "-0044-03-15",
        "2013-02-30", "12013-05-05", "2013-01-01T04:30:00Z", "2012-12-31T23:30:00-05:00", "2013-01-01T04:30Z",
        "2013-01-01T05:30:00+01:00", "2013-01-01T04:30:00", "2013-01-01T04:30", "2013-01-01T04:29:60",
        "2013-01-01T04:30:00.5", "2013-01-01T04:30:00.500Z", "10000-01-01T00:00:00Z", "2012-12-31T23:59:60Z",
        "9999-12-31T23:30:00-23:00", "13:45", "13:45:00", "13:44:60", "13:45:00.0", "13:45:01", "23:59:60", "00:00",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
        "3f2504E0-4f89-11D3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3302",
        "00000000-0000-0000-0000-000000000001",
    ]

    static let dates = [
        "2013-01-01", "2013-01-02", "0001-01-01", "9999-12-31", "2012-12-31", "10000-01-01", "-0044-03-15",
    ]
    static let instants = [
        "2013-01-01T04:30:00Z", "2012-12-31T23:30:00-05:00", "2013-01-01T04:30:00.5Z", "2013-01-01T00:00:00Z",
        "9999-12-31T23:30:00-05:00", "0001-01-01T00:00:00Z",
    ]
    static let dateTimes = ["2013-01-01T04:30", "2013-01-01T04:30:00", "2013-01-01T04:30:00.5", "9999-12-31T23:59:59"]
    static let times = ["13:45:00", "13:45:01", "00:00:00", "23:59:00", "13:44:59.5"]
    static let guids = [
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
        "00000000-0000-0000-0000-000000000001",
    ]

    /// What most texts and literals of a soup are about, so that values meet often.
    enum Theme: CaseIterable, Sendable { case everything, guids, dates, times, words, integers }

    /// Texts that differ in case or in what patterns would take for wildcards.
    private static let words = [
        "Milk", "milk", "MILK", "M", "mi", "a_b", "axb", "50% off", "50 off", "ab", "a", "B", "",
    ]
    /// Integers that are one double, and their neighbours.
    private static let integers = [
        "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994", "16777216", "16777217",
        "16777218", "1", "0",
    ]

    /// The numbers that are drawn for a theme.
    static func numbers(_ theme: Theme) -> [String] { theme == .integers ? integers : numbers }

    /// The texts that are drawn for a theme.
    static func texts(_ theme: Theme) -> [String] {
        switch theme {
        case .everything, .integers: texts
        case .words: words
        case .guids: texts.filter { $0.utf8.count == 36 }
        case .dates: texts.filter { $0.contains("-") && $0.utf8.count >= 10 && $0.utf8.count != 36 }
        case .times: texts.filter { $0.contains(":") && $0.utf8.count < 12 }
        }
    }

    /// A value as JSON.
    static func json(_ random: inout SeededRandom, _ theme: Theme, depth: Int = 0) -> String {
        let theme = Int.random(in: 0..<4, using: &random) > 0 ? theme : .everything
        return json(&random, theme, depth)
    }

    private static func json(_ random: inout SeededRandom, _ theme: Theme, _ depth: Int) -> String {
        switch kind(theme, &random) {
        case 0..<7: numbers(theme).randomElement(using: &random) ?? "0"
        case 7..<15: quoted(texts(theme).randomElement(using: &random) ?? "")
        case 15: "null"
        case 16: "true"
        case 17: "false"
        case 18 where depth < 2: "[" + json(&random, theme, depth: depth + 1) + "]"
        case 19 where depth < 2: "{\"E\":" + json(&random, theme, depth: depth + 1) + "}"
        default: "{}"
        }
    }

    /// The kind of a value: mostly what the theme is about.
    private static func kind(_ theme: Theme, _ random: inout SeededRandom) -> Int {
        let kind = Int.random(in: 0..<20, using: &random)
        guard kind < 15, Bool.random(using: &random) else { return kind }
        return switch theme {
        case .words, .guids, .dates, .times: 7
        case .integers: 0
        case .everything: kind
        }
    }

    /// A text in quotes. Some of its characters are written as escapes, which are the same to a reader.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "M": result += "\\u004d"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A document: a member may be missing.
    static func document(_ random: inout SeededRandom, _ theme: Theme) -> String {
        var members: [String] = []
        for name in ["A", "B"] where Int.random(in: 0..<8, using: &random) > 0 {
            members.append("\"\(name)\":" + json(&random, theme))
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: break
        case 1: members.append("\"D\":[{\"E\":\(json(&random, theme))},{\"E\":\(json(&random, theme))}]")
        case 2: members.append("\"D\":" + json(&random, theme))
        default: members.append("\"D\":{\"E\":\(json(&random, theme))}")
        }
        if Bool.random(using: &random) {
            members.append("\"N\":\"x\\u0000y\",\"X\":[\(json(&random, theme)),\(json(&random, theme))]")
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            members.append("\"__local__\":\(Bool.random(using: &random))")
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
