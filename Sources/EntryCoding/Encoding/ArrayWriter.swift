/// Writes the elements of an array.
struct ArrayWriter: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { node.count }
    private var node: EncodingNode { encoder.node }

    private func put(_ write: (ValueEncoder) throws -> Void) throws {
        let key = PositionKey(index: node.count)
        node.beginElement()
        do {
            try write(encoder)
        } catch {
            node.takeBack()
            throw ValueEncoder(state: encoder.state, node: node, parent: encoder.path, key: key).relocated(error)
        }
    }

    func encodeNil() throws {
        node.beginElement()
        node.write(word: "null")
    }

    func encode(_ value: Bool) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: String) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: Int) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: Int8) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: Int16) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: Int32) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: Int64) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: UInt) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: UInt8) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: UInt16) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: UInt32) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: UInt64) throws {
        node.beginElement()
        node.write(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func encode(_ value: Int128) throws {
        node.beginElement()
        node.write(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func encode(_ value: UInt128) throws {
        node.beginElement()
        node.write(value)
    }

    func encode(_ value: Double) throws { try put { try $0.write(double: value) } }

    func encode(_ value: Float) throws { try put { try $0.write(float: value) } }

    func encode<T: Encodable>(_ value: T) throws {
        let index = node.count
        var isWritten = false
        try put { isWritten = try $0.writeSimple(value) }
        guard !isWritten else { return }
        do {
            try encoder.child(PositionKey(index: index)).write(value)
        } catch {
            node.takeBack()
            throw error
        }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    func superEncoder() -> any Encoder { next() }

    private func next() -> ValueEncoder {
        let key = PositionKey(index: node.count)
        node.beginElement()
        return encoder.uncheckedChild(key)
    }
}
