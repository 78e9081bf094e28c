import FoundationTypes

/// A value of a random shape that encodes itself through containers of every kind.
indirect enum RandomValue: Encodable {
    case null
    case int(Int)
    case int8(Int8)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case float(Float)
    case text(String)
    case flag(Bool)
    case date(Date)
    case data(Data)
    case url(URL)
    case uuid(UUID)
    case decimal(Decimal)
    case list([RandomValue])
    /// Elements by `encodeNil`, nested containers and `superEncoder`.
    case mixedList([RandomValue])
    case members([(String, RandomValue)])
    /// Two nested objects that are filled in turn, and a member of the outer one between them.
    case nested([(String, RandomValue)], RandomValue)
    case textDictionary([String: RandomValue])
    case numberDictionary([Int: RandomValue])
    case optional(RandomValue?)
    case superMember(RandomValue)
    /// Encodes nothing.
    case nothing

    static func make(_ random: inout some RandomNumberGenerator, depth: Int) -> RandomValue {
        guard depth > 0, Bool.random(using: &random) else { return simple(&random) }
        func inner(_ random: inout some RandomNumberGenerator) -> RandomValue { make(&random, depth: depth - 1) }
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return .list([inner(&random), inner(&random)])
        case 1: return .mixedList([inner(&random), inner(&random), inner(&random)])
        case 2: return .members(members(&random, depth: depth))
        case 3: return .nested(members(&random, depth: depth), inner(&random))
        case 4: return .textDictionary(Dictionary(members(&random, depth: depth)) { $1 })
        case 5: return .numberDictionary([1: inner(&random), -5: inner(&random)])
        case 6: return .optional(Bool.random(using: &random) ? nil : inner(&random))
        case 7: return .superMember(inner(&random))
        default: return .nothing
        }
    }

    private static func members(_ random: inout some RandomNumberGenerator, depth: Int) -> [(String, RandomValue)] {
        var names = RandomName.all
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (names.remove(at: Int.random(in: names.indices, using: &random)), make(&random, depth: depth - 1))
        }
    }

    private static func simple(_ random: inout some RandomNumberGenerator) -> RandomValue {
        let bits = bits(&random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .int(Int(truncatingIfNeeded: bits))
        case 1: return .int8(Int8(truncatingIfNeeded: bits))
        case 2: return .int64(Int64(bitPattern: bits))
        case 3: return .uint64(bits)
        case 4: return .double(Double(bitPattern: bits))
        case 5: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 6: return .text(text(&random))
        case 7: return .flag(bits & 1 == 0)
        // Within the years that ISO 8601 has four digits for.
        case 8: return .date(Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: bits)) / 8))
        case 9: return .data(withUnsafeBytes(of: bits) { Data($0) })
        case 10: return .url(URL(string: "https://example.org/\(bits % 1000)") ?? URL(filePath: "/"))
        case 11: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(bits & 255))))
        case 12: return .decimal(Decimal(sign: .minus, exponent: -6, significand: Decimal(bits)))
        default: return .null
        }
    }

    /// A number of 64 bits of a generator that may give few at once.
    private static func bits(_ random: inout some RandomNumberGenerator) -> UInt64 {
        (0..<8).reduce(UInt64(0)) { bits, _ in bits << 8 | UInt64.random(in: 0...255, using: &random) }
    }

    private static func text(_ random: inout some RandomNumberGenerator) -> String {
        let scalars = (0..<4).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) }
        return String(String.UnicodeScalarView(scalars)) + (Bool.random(using: &random) ? "\u{1F600}/\"\\" : "")
    }
}

// MARK: - Encoding
extension RandomValue {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try single(encoder) { try $0.encodeNil() }
        case .int(let value): try single(encoder) { try $0.encode(value) }
        case .int8(let value): try single(encoder) { try $0.encode(value) }
        case .int64(let value): try single(encoder) { try $0.encode(value) }
        case .uint64(let value): try single(encoder) { try $0.encode(value) }
        case .double(let value): try single(encoder) { try $0.encode(value) }
        case .float(let value): try single(encoder) { try $0.encode(value) }
        case .text(let value): try single(encoder) { try $0.encode(value) }
        case .flag(let value): try single(encoder) { try $0.encode(value) }
        case .date(let value): try single(encoder) { try $0.encode(value) }
        case .data(let value): try single(encoder) { try $0.encode(value) }
        case .url(let value): try single(encoder) { try $0.encode(value) }
        case .uuid(let value): try single(encoder) { try $0.encode(value) }
        case .decimal(let value): try single(encoder) { try $0.encode(value) }
        case .textDictionary(let value): try single(encoder) { try $0.encode(value) }
        case .numberDictionary(let value): try single(encoder) { try $0.encode(value) }
        case .optional(let value): try single(encoder) { try $0.encode(value) }
        case .list(let values):
            var container = encoder.unkeyedContainer()
            for value in values {
                try container.encode(value)
            }
        case .mixedList(let values): try encodeMixed(values, encoder)
        case .members(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members {
                try container.encode(value, forKey: Name(stringValue: name))
            }
        case .nested(let members, let value): try encodeNested(members, value, encoder)
        case .superMember(let value):
            var container = encoder.container(keyedBy: Name.self)
            try value.encode(to: container.superEncoder())
            try container.encode(1, forKey: Name(stringValue: "own"))
        case .nothing: break
        }
    }

    private func single(
        _ encoder: any Encoder, _ write: (inout any SingleValueEncodingContainer) throws -> Void
    ) throws {
        var container = encoder.singleValueContainer()
        try write(&container)
    }

    private func encodeMixed(_ values: [RandomValue], _ encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encodeNil()
        var list = container.nestedUnkeyedContainer()
        var members = container.nestedContainer(keyedBy: Name.self)
        for (index, value) in values.enumerated() {
            try list.encode(value)
            try members.encode(value, forKey: Name(stringValue: "m\(index)"))
            try container.encode(value)
        }
        try values.first?.encode(to: container.superEncoder())
    }

    private func encodeNested(_ members: [(String, RandomValue)], _ value: RandomValue, _ encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Name.self)
        var first = outer.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "first"))
        var second = outer.nestedUnkeyedContainer(forKey: Name(stringValue: "second"))
        for (index, (name, member)) in members.enumerated() {
            try first.encodeIfPresent(index == 1 ? nil : member, forKey: Name(stringValue: name))
            try second.encode(member)
        }
        try outer.encode(value, forKey: Name(stringValue: "last"))
        try second.encode(value)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
