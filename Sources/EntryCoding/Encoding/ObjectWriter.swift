/// Writes the members of an object.
struct ObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    private var node: EncodingNode { encoder.node }

    private func begin(_ key: some CodingKey) {
        let state = encoder.state
        node.beginMember(state.namesAreWritten ? key.stringValue : state.options.keys.written(key.stringValue))
    }

    /// Writes a number that may have no text; the member is taken back then.
    private func number(_ key: Key, _ write: (ValueEncoder) throws -> Void) throws {
        begin(key)
        do {
            try write(encoder)
        } catch {
            node.takeBack()
            throw ValueEncoder(state: encoder.state, node: node, parent: encoder.path, key: key).relocated(error)
        }
    }

    func encodeNil(forKey key: Key) throws {
        begin(key)
        node.write(word: "null")
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: String, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: Int, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: Int8, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: Int16, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: Int32, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: Int64, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: UInt, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: UInt8, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: UInt16, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: UInt32, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: UInt64, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws {
        begin(key)
        node.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws { try number(key) { try $0.write(double: value) } }

    func encode(_ value: Float, forKey key: Key) throws { try number(key) { try $0.write(float: value) } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        begin(key)
        let isWritten: Bool
        do {
            isWritten = try encoder.writeSimple(value)
        } catch {
            node.takeBack()
            throw ValueEncoder(state: encoder.state, node: node, parent: encoder.path, key: key).relocated(error)
        }
        guard !isWritten else { return }
        do {
            try encoder.child(key).write(value)
        } catch {
            node.takeBack()
            throw error
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        begin(key)
        return encoder.uncheckedChild(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        begin(key)
        return encoder.uncheckedChild(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        node.beginMember(PositionKey.super.stringValue)
        return encoder.uncheckedChild(PositionKey.super)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        begin(key)
        return encoder.uncheckedChild(key)
    }
}
