import FoundationTypes

/// The answer to the current request, as a text that can be compared.
struct DecodingAnswer: Decodable {
    let text: String

    init(from decoder: any Decoder) throws { text = try Self.text(DecodingRequest.current, decoder) }

    private static func text(_ request: DecodingRequest, _ decoder: any Decoder) throws -> String {
        switch request {
        case .null: return "\(try decoder.singleValueContainer().decodeNil())"
        case .bool: return "\(try single(Bool.self, decoder))"
        case .int: return "\(try single(Int.self, decoder))"
        case .int8: return "\(try single(Int8.self, decoder))"
        case .int16: return "\(try single(Int16.self, decoder))"
        case .int32: return "\(try single(Int32.self, decoder))"
        case .int64: return "\(try single(Int64.self, decoder))"
        case .uint: return "\(try single(UInt.self, decoder))"
        case .uint8: return "\(try single(UInt8.self, decoder))"
        case .uint16: return "\(try single(UInt16.self, decoder))"
        case .uint32: return "\(try single(UInt32.self, decoder))"
        case .uint64: return "\(try single(UInt64.self, decoder))"
        case .float: return "\(try single(Float.self, decoder))"
        case .double: return "\(try single(Double.self, decoder))"
        case .string: return bytes(try single(String.self, decoder))
        case .strings: return "\(try single([String].self, decoder).map(bytes))"
        case .date: return "\(try single(Date.self, decoder).timeIntervalSinceReferenceDate)"
        case .data: return "\(Array(try single(Data.self, decoder)))"
        case .url: return try single(URL.self, decoder).absoluteString
        case .uuid: return try single(UUID.self, decoder).uuidString
        case .decimal: return "\(try single(Decimal.self, decoder))"
        case .everything: return try single(Everything.self, decoder).comparable
        case .outOfTurn: return "\(try single(OutOfTurn.self, decoder))"
        case .dog:
            let dog = try single(Dog.self, decoder)
            return "\(dog.age) \(bytes(dog.name))"
        case .optional(let inner):
            return try asking(inner) { try single(DecodingAnswer?.self, decoder) }.map { "some(\($0.text))" } ?? "nil"
        case .list, .elements: return try list(request, decoder.unkeyedContainer())
        case .allKeys(let inner): return try allKeys(inner, decoder.container(keyedBy: Name.self))
        case .textDictionary(let inner):
            let found = try asking(inner) { try single([String: DecodingAnswer].self, decoder) }
            return "\(found.map { "\(bytes($0.key)):\($0.value.text)" }.sorted())"
        case .numberDictionary(let inner):
            let found = try asking(inner) { try single([Int: DecodingAnswer].self, decoder) }
            return "\(found.map { "\($0.key):\($0.value.text)" }.sorted())"
        case .members(let members): return try text(members, decoder.container(keyedBy: Name.self))
        case .nestedMembers(let name, let members):
            let outer = try decoder.container(keyedBy: Name.self)
            return try text(members, outer.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: name)))
        case .nestedList(let name, let inner):
            let outer = try decoder.container(keyedBy: Name.self)
            return try list(.list(inner), outer.nestedUnkeyedContainer(forKey: Name(stringValue: name)))
        case .superMember(let inner):
            return try text(inner, decoder.container(keyedBy: Name.self).superDecoder())
        }
    }

    private static func single<T: Decodable>(_ type: T.Type, _ decoder: any Decoder) throws -> T {
        try decoder.singleValueContainer().decode(type)
    }

    private static func asking<R>(_ request: DecodingRequest, _ body: () throws -> R) rethrows -> R {
        try DecodingRequest.$current.withValue(request) { try body() }
    }

    private static func list(_ request: DecodingRequest, _ container: any UnkeyedDecodingContainer) throws -> String {
        var container = container
        var parts: [String] = []
        if case .elements(let requests) = request {
            for inner in requests {
                let part = try asking(inner) { try container.decodeIfPresent(DecodingAnswer.self) }
                parts.append(part?.text ?? "absent")
            }
        } else if case .list(let inner) = request {
            while !container.isAtEnd {
                parts.append(try asking(inner) { try container.decode(DecodingAnswer.self) }.text)
            }
        }
        return "\(parts) \(container.currentIndex) of \(container.count ?? -1)"
    }

    private static func allKeys(_ inner: DecodingRequest, _ container: KeyedDecodingContainer<Name>) throws -> String {
        let parts = try container.allKeys.map { key in
            let value = try asking(inner) { try container.decode(DecodingAnswer.self, forKey: key) }
            return "\(bytes(key.stringValue)):\(value.text)"
        }
        return "\(parts.sorted())"
    }

    private static func text(
        _ members: [DecodingRequest.Member], _ container: KeyedDecodingContainer<Name>
    ) throws -> String {
        try members.map { member in
            let key = Name(stringValue: member.name)
            let value = try asking(member.request) {
                member.isRequired
                    ? try container.decode(DecodingAnswer.self, forKey: key)
                    : try container.decodeIfPresent(DecodingAnswer.self, forKey: key)
            }
            return "\(member.name)=\(value?.text ?? "absent"),\(container.contains(key))"
        }.joined(separator: ";")
    }

    /// By bytes: equal texts may be written differently.
    private static func bytes(_ text: String) -> String { "\(Array(text.utf8))" }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension Everything {
    /// All members in one order.
    fileprivate var comparable: String {
        let parts = Mirror(reflecting: self).children.map { child -> String in
            switch child.value {
            case let set as Set<Int>: "\(set.sorted())"
            case let names as [Int: String]: "\(names.sorted { $0.key < $1.key })"
            case let inner as Inner:
                "\(inner.name) \(inner.list) \(inner.deep.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted { $0.key < $1.key }) })"
            default: "\(child.value)"
            }
        }
        return parts.joined(separator: "\n")
    }
}
