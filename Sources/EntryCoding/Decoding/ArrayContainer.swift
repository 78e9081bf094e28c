import JSONText
import Soups

/// Decodes the elements of an array, one after another.
struct ArrayContainer: UnkeyedDecodingContainer {
    private let decoder: NodeDecoder
    /// Where the next element begins.
    private var position: Int
    private let end: Int
    private(set) var currentIndex = 0

    init(decoder: NodeDecoder) {
        self.decoder = decoder
        position = decoder.node.firstPosition
        end = decoder.node.endPosition
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var isAtEnd: Bool { position >= end }

    /// O(elements).
    var count: Int? {
        guard (try? decoder.check()) != nil else { return nil }
        return decoder.node.elements.reduce(0) { count, _ in count + 1 }
    }

    /// The next element, which stays the next one until it is decoded.
    private func current(_ type: Any.Type) throws -> NodeDecoder {
        try decoder.check()
        guard position < end else {
            let message = "the array has no more elements"
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: codingPath + [PositionKey(index: currentIndex)], debugDescription: message,
                    underlyingError: Fault(.typeMismatch, message, offset: decoder.node.offset)))
        }
        return decoder.with(decoder.node.element(at: position))
    }

    private mutating func take<T>(_ type: Any.Type, _ read: (NodeDecoder) throws -> T) throws -> T {
        let element = try current(type)
        let value = try read(element)
        position = element.node.endPosition
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard try current(Never.self).node.isNull else { return false }
        position += 1
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.float() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take(type) { try $0.integer(type) } }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take(type) { try $0.integer(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take(type) { try $0.integer(type) } }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try take(type) { try $0.integer(type) } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take(type) { try $0.value(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take([Any].self) { try $0.array() }
    }

    mutating func superDecoder() throws -> any Decoder { try take((any Decoder).self) { $0 } }
}
