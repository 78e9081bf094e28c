/// Decodes from a node of an entry.
struct EntryDecoder: Decoder {
    let node: EntryNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var isNull: Bool {
        if case .null = node.content {
            true
        } else {
            false
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object = node.content else {
            throw mismatch(JSONObjectType.self, "an object")
        }
        return KeyedDecodingContainer(EntryKeyedContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = node.elements else {
            throw mismatch([Any].self, "a collection")
        }
        return EntryUnkeyedContainer(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { EntryValueContainer(decoder: self) }

    /// Decodes a type from the node: from its value where a conversion is known, else with the type's own initializer.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decode(type, by: ValueConversion(to: type))
    }

    /// Decodes a type whose conversion is known.
    func decode<Value: Decodable>(_ type: Value.Type, by conversion: ValueConversion) throws -> Value {
        guard conversion.applies(to: node) else {
            return try Value(from: self)
        }
        guard let value = conversion.value(of: node) as? Value else {
            throw mismatch(type, "\(type)")
        }
        return value
    }

    private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        if isNull {
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "expected \(expected), not null"))
        }
        return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "expected \(expected)"))
    }

    private enum JSONObjectType {}
}
