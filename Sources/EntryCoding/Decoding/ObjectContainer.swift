import JSONText
import Soups

/// Decodes the members of an object.
struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: NodeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        guard (try? decoder.check()) != nil else { return [] }
        let keys = decoder.state.options.keys
        return decoder.node.members.compactMap { Key(stringValue: keys.read($0.name.string)) }
    }

    func contains(_ key: Key) -> Bool {
        (try? decoder.check()) != nil && decoder.state.find(key, in: decoder.node) != nil
    }

    private func member(_ key: Key) throws -> NodeDecoder {
        try decoder.check()
        guard let node = decoder.state.find(key, in: decoder.node) else {
            let message = "the object has no member \(key.stringValue)"
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: message,
                    underlyingError: Fault(.typeMismatch, message, offset: decoder.node.offset)))
        }
        return decoder.with(node)
    }

    /// The member, unless it is absent or null.
    private func present(_ key: Key) throws -> NodeDecoder? {
        try decoder.check()
        guard let node = decoder.state.find(key, in: decoder.node), !node.isNull else { return nil }
        return decoder.with(node)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).node.isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).float() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).integer(type) }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try member(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try member(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).integer(type) }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).integer(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key).value(type) }

    // One search each, where the standard forms make three.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.bool() }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key)?.string() }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.double() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.integer(type) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try present(key)?.integer(type) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key)?.value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try member(key).array() }

    func superDecoder() throws -> any Decoder {
        try decoder.check()
        let key = PositionKey.super
        guard let node = decoder.state.find(writtenName: key.stringValue, in: decoder.node) else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "the object has no member super"))
        }
        return decoder.with(node)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}
