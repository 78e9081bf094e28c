// A value that encodes itself as one simple value.
extension ValueEncoder: SingleValueEncodingContainer {
    private func put(_ write: () throws -> Void) rethrows {
        precondition(node.kind == .undecided, "a value has encoded itself twice: use one container for each encoder")
        try write()
        node.kind = .value
    }

    func encodeNil() throws { put { node.write(word: "null") } }
    func encode(_ value: Bool) throws { put { node.write(value) } }
    func encode(_ value: String) throws { put { node.write(value) } }
    func encode(_ value: Double) throws { try put { try write(double: value) } }
    func encode(_ value: Float) throws { try put { try write(float: value) } }
    func encode(_ value: Int) throws { put { node.write(value) } }
    func encode(_ value: Int8) throws { put { node.write(value) } }
    func encode(_ value: Int16) throws { put { node.write(value) } }
    func encode(_ value: Int32) throws { put { node.write(value) } }
    func encode(_ value: Int64) throws { put { node.write(value) } }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func encode(_ value: Int128) throws { put { node.write(value) } }
    func encode(_ value: UInt) throws { put { node.write(value) } }
    func encode(_ value: UInt8) throws { put { node.write(value) } }
    func encode(_ value: UInt16) throws { put { node.write(value) } }
    func encode(_ value: UInt32) throws { put { node.write(value) } }
    func encode(_ value: UInt64) throws { put { node.write(value) } }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func encode(_ value: UInt128) throws { put { node.write(value) } }

    /// As with JSONEncoder, a value inside this one that encodes nothing is an empty object.
    func encode<T: Encodable>(_ value: T) throws {
        let mark = node.mark
        do {
            try write(value)
        } catch {
            // A type may catch the error and encode something else.
            node.rewind(to: mark)
            throw error
        }
        if node.kind == .undecided {
            node.kind = .object
        }
    }
}
