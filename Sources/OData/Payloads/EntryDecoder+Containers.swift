import Soups

struct EntryKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: EntryDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    private let listed = ListedMembers()

    init(decoder: EntryDecoder) { self.decoder = decoder }

    /// A type that asks for all keys, such as a dictionary, then decodes all of them.
    var allKeys: [Key] {
        let members = decoder.node.members ?? []
        listed.members = members
        return members.compactMap { Key(stringValue: $0.name) }
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    private func member(_ key: Key) -> EntryNode? {
        // Control information, such as `@odata.etag`, is not among the members.
        listed.member(key.stringValue) ?? decoder.node.member(key.stringValue)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try child(key).isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let conversion = listed.conversion(to: type)
        let node = try found(key)
        // The path is for errors only.
        if conversion.applies(to: node), let value = conversion.value(of: node) as? Value {
            return value
        }
        return try child(key, node).decode(type, by: conversion)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }

    private func found(_ key: Key) throws -> EntryNode {
        guard let member = member(key) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "the entry has no property \(key.stringValue)"))
        }
        return member
    }

    private func child(_ key: Key) throws -> EntryDecoder { child(key, try found(key)) }

    private func child(_ key: Key, _ node: EntryNode) -> EntryDecoder {
        EntryDecoder(node: node, codingPath: codingPath + [key])
    }
}

/// What a container remembers between calls: the members of an object once all keys were asked for, which most callers
/// then decode in that order, and how the last type is decoded.
private final class ListedMembers {
    private var lastConversion: (type: Any.Type, conversion: ValueConversion)?
    var members: [(name: String, value: EntryNode)] = []
    private var upcoming = 0
    /// Made when a member is asked for out of order.
    private var byName: [ByteKey: EntryNode]?

    /// How members become values of a type.
    func conversion(to type: Any.Type) -> ValueConversion {
        if let lastConversion, lastConversion.type == type {
            return lastConversion.conversion
        }
        let conversion = ValueConversion(to: type)
        lastConversion = (type, conversion)
        return conversion
    }

    /// The member with a name; nil for an unknown name, and as long as the keys were not asked for.
    func member(_ name: String) -> EntryNode? {
        guard !members.isEmpty else { return nil }
        if upcoming < members.count, byName == nil, members[upcoming].name.hasBytes(of: name) {
            upcoming += 1
            return members[upcoming - 1].value
        }
        let index = byName ?? Dictionary(members.map { (ByteKey($0.name), $0.value) }) { first, _ in first }
        byName = index
        return index[ByteKey(name)]
    }
}

struct EntryUnkeyedContainer: UnkeyedDecodingContainer {
    let elements: [EntryNode]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [EntryNode], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
        guard try next().isNull else {
            return false
        }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try next().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try next().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next()
        currentIndex += 1
        return decoder
    }

    private func next() throws -> EntryDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: codingPath, debugDescription: "the collection has no more members"))
        }
        return EntryDecoder(node: elements[currentIndex], codingPath: codingPath + [PositionKey(currentIndex)])
    }
}

struct EntryValueContainer: SingleValueDecodingContainer {
    let decoder: EntryDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}

/// The position of a member of a collection in a coding path.
private struct PositionKey: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ position: Int) { intValue = position }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { return nil }
}
