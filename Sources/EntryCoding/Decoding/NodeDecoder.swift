import FoundationTypes
import JSONText
import Soups

/// Decodes one value of the text.
struct NodeDecoder: Decoder {
    let state: DecodingState
    let node: JSONNode
    /// The text that the node belongs to.
    let generation: Int

    var codingPath: [any CodingKey] { isValid ? state.path(to: node.position) : [] }
    var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

    private var isValid: Bool { generation == state.generation }

    /// Throws if the call that the decoder belongs to is over: the text may be gone.
    @inline(__always) func check() throws {
        guard isValid else {
            throw DecodingState.corrupted([], "the decoder was kept after its call: its text is gone", offset: nil)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try object(keyedBy: type))
    }

    func object<Key: CodingKey>(keyedBy type: Key.Type) throws -> ObjectContainer<Key> {
        try check()
        guard node.kind == .object else {
            throw mismatch([String: Any].self, "an object")
        }
        return ObjectContainer(decoder: self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try array() }

    func array() throws -> ArrayContainer {
        try check()
        guard node.kind == .array else {
            throw mismatch([Any].self, "an array")
        }
        return ArrayContainer(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try check()
        return self
    }

    func with(_ node: JSONNode) -> NodeDecoder { NodeDecoder(state: state, node: node, generation: generation) }

    // MARK: - Errors

    /// The error for a value of the wrong kind. It names the kinds and never the value.
    func mismatch(_ type: Any.Type, _ expected: String) -> any Error {
        let message = "expected \(expected) and found \(node.kindName)"
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: message,
            underlyingError: Fault(.typeMismatch, message, offset: node.offset))
        return node.isNull ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
    }

    func corrupted(_ message: String) -> any Error {
        DecodingState.corrupted(codingPath, message, offset: node.offset)
    }
}

extension JSONNode {
    /// The kind in words, for messages.
    var kindName: String {
        switch kind {
        case .null: "null"
        case .true, .false: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .object: "an object"
        case .array: "an array"
        }
    }
}
