/// JSON texts with the edges of the grammar.
enum RandomDocument {
    private static let numbers = [
        "0", "-0", "-0.0", "1", "127", "128", "-129", "1.0", "1.5", "1e2", "12e-1", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e39", "1e308",
        "1e-320", "0.1", "3.4028235e38", "16777217", "100000000000000000000", "123.25", "1e-400", "1e400", "32768",
        "-9223372036854775808", "-9223372036854775809", "4294967296", "255", "12345678901234567890.123456789",
        "9223372036854775807.0", "1E+2", "0.0000001", "1e-130", "1e130", "-1e-5",
    ]
    private static let strings = [
        #""""#, #""a""#, #""\u00e9""#, #""é""#, #""\ud83d\ude00""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#,
        #""https://example.org/a?b=c""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""AAH/""#, #""AAH""#,
        #""2026-01-31T12:00:00Z""#, #""2026-02-30T12:00:00Z""#, #""two""#, #""e\u0301""#, #""12""#,
    ]
    private static let names =
        RandomName.all.map { "\"\($0)\"" } + [#""\u00e9x""#, #""\u0061b""#, #""e\u0301""#, #""A""#]

    static func make(_ random: inout some RandomNumberGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return "null"
        case 1: return Bool.random(using: &random) ? "true" : "false"
        case 2: return numbers.randomElement(using: &random) ?? "0"
        case 3, 4: return strings.randomElement(using: &random) ?? "0"
        case 5, 6:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&random, depth: depth - 1) }
            return "[" + elements.joined(separator: Bool.random(using: &random) ? "," : " ,\n") + "]"
        default:
            // A name drawn twice is left in now and then.
            var rest = Bool.random(using: &random) ? names : names + names
            let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let name = rest.remove(at: Int.random(in: rest.indices, using: &random))
                return "\(name):\(make(&random, depth: depth - 1))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    /// A text that a request can be asked of: most parts fit.
    static func fitting(_ request: DecodingRequest, _ random: inout some RandomNumberGenerator) -> String {
        if Int.random(in: 0..<16, using: &random) == 0 {
            return make(&random, depth: 2)
        }
        switch request {
        case .null: return "null"
        case .bool: return Bool.random(using: &random) ? "true" : "false"
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal,
            .date:
            return numbers.randomElement(using: &random) ?? "0"
        case .string, .data, .url, .uuid: return strings.randomElement(using: &random) ?? "0"
        case .strings: return #"["a",\#(strings.randomElement(using: &random) ?? "0")]"#
        case .everything, .outOfTurn, .dog: return make(&random, depth: 3)
        case .list(let inner): return "[\(fitting(inner, &random)),\(fitting(inner, &random))]"
        case .elements(let inner): return "[" + inner.map { fitting($0, &random) }.joined(separator: ",") + "]"
        case .allKeys(let inner), .textDictionary(let inner), .numberDictionary(let inner):
            let first = names.randomElement(using: &random) ?? "a"
            return "{\(first):\(fitting(inner, &random)),\"7\":\(fitting(inner, &random))}"
        case .optional(let inner): return Bool.random(using: &random) ? "null" : fitting(inner, &random)
        case .members(let members): return object(members, &random)
        case .nestedMembers(let name, let members): return "{\"\(name)\":\(object(members, &random))}"
        case .nestedList(let name, let inner): return "{\"\(name)\":[\(fitting(inner, &random))]}"
        case .superMember(let inner): return "{\"super\":\(fitting(inner, &random))}"
        }
    }

    private static func object(
        _ members: [DecodingRequest.Member], _ random: inout some RandomNumberGenerator
    ) -> String {
        "{" + members.map { "\"\($0.name)\":\(fitting($0.request, &random))" }.joined(separator: ",") + "}"
    }
}
