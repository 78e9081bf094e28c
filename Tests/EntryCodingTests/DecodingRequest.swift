import FoundationTypes

/// What a type asks a decoder for: types cannot be made at run time, so `Answer` asks for what is set as the current
/// one.
indirect enum DecodingRequest: Sendable {
    case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float, double, string, null
    case date, data, url, uuid, decimal
    /// The types of `Samples.swift`.
    case everything, outOfTurn, dog
    case strings
    case list(DecodingRequest)
    /// Elements of different types; those after the last are left alone.
    case elements([DecodingRequest])
    /// A keyed container and all its keys.
    case allKeys(DecodingRequest)
    case textDictionary(DecodingRequest)
    case numberDictionary(DecodingRequest)
    case optional(DecodingRequest)
    case members([Member])
    case nestedMembers(String, [Member])
    case nestedList(String, DecodingRequest)
    case superMember(DecodingRequest)

    struct Member: Sendable {
        let name: String
        /// Whether an absent member, or null, is an error.
        let isRequired: Bool
        let request: DecodingRequest
    }

    @TaskLocal static var current = DecodingRequest.null

    private static let simple: [DecodingRequest] = [
        .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .float, .double, .string,
        .null, .date, .data, .url, .uuid, .decimal, .strings, .everything, .outOfTurn, .dog,
    ]

    static func make(_ random: inout some RandomNumberGenerator, depth: Int) -> DecodingRequest {
        guard depth > 0, Bool.random(using: &random) else {
            return simple.randomElement(using: &random) ?? .null
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .list(make(&random, depth: depth - 1))
        case 1: return .elements((0..<3).map { _ in make(&random, depth: depth - 1) })
        case 2: return .allKeys(make(&random, depth: depth - 1))
        case 3: return .textDictionary(make(&random, depth: depth - 1))
        case 4: return .numberDictionary(make(&random, depth: depth - 1))
        case 5: return .optional(make(&random, depth: depth - 1))
        case 6: return .nestedMembers(RandomName.make(&random), members(&random, depth: depth - 1))
        case 7: return .nestedList(RandomName.make(&random), make(&random, depth: depth - 1))
        case 8: return .superMember(make(&random, depth: depth - 1))
        default: return .members(members(&random, depth: depth - 1))
        }
    }

    private static func members(_ random: inout some RandomNumberGenerator, depth: Int) -> [Member] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Member(
                name: RandomName.make(&random), isRequired: Bool.random(using: &random),
                request: make(&random, depth: depth - 1))
        }
    }
}

/// Names of members, with what conversions of names and comparisons of texts could get wrong.
enum RandomName {
    static let all = ["a", "b", "c", "\u{e9}", "ab", "", "super", "firstName", "first_name", "_a_B", "1", "-5", "a1B"]

    static func make(_ random: inout some RandomNumberGenerator) -> String { all.randomElement(using: &random) ?? "a" }
}
