import FoundationTypes
import Soups

/// Where a value is, for the coding path of errors: the key of each value and its parent.
final class EncodingPath {
    let parent: EncodingPath?
    let key: any CodingKey

    init(_ parent: EncodingPath?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    static func keys(_ path: EncodingPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var next = path
        while let path = next {
            keys.append(path.key)
            next = path.parent
        }
        return keys.reversed()
    }
}

/// Encodes one value into its node.
struct ValueEncoder: Encoder {
    let state: EncodingState
    let node: EncodingNode
    let path: EncodingPath?

    init(state: EncodingState, node: EncodingNode, parent: EncodingPath?, key: (any CodingKey)?) {
        self.state = state
        self.node = node
        path = key.map { EncodingPath(parent, $0) } ?? parent
    }

    var codingPath: [any CodingKey] { EncodingPath.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        begin(.object)
        return KeyedEncodingContainer(ObjectWriter<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        begin(.array)
        return ArrayWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func begin(_ kind: EncodingNode.Kind) {
        precondition(
            node.kind == .undecided || node.kind == kind,
            "a value has encoded itself in two ways: use one container for each encoder")
        node.kind = kind
    }

    /// Makes the node of a value inside this one, at the end of what is written.
    func child(_ key: any CodingKey) throws -> ValueEncoder {
        guard node.depth + 1 < EncodingState.maximumDepth else {
            throw invalid("", "the value is nested deeper than \(EncodingState.maximumDepth)")
        }
        return uncheckedChild(key)
    }

    func uncheckedChild(_ key: any CodingKey) -> ValueEncoder {
        let inner = state.take()
        inner.depth = node.depth + 1
        node.children.append((node.bytes.count, inner))
        return ValueEncoder(state: state, node: inner, parent: path, key: key)
    }

    /// The error for a value that JSON cannot hold. It does not show the value.
    func invalid(_ value: Any, _ message: String) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: codingPath, debugDescription: message, underlyingError: Fault(.typeMismatch, message)))
    }

    /// The same error with the coding path of this encoder.
    func relocated(_ error: any Error) -> any Error {
        guard case EncodingError.invalidValue(let value, let context) = error else { return error }
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: codingPath, debugDescription: context.debugDescription,
                underlyingError: context.underlyingError))
    }

    // MARK: - Any type

    /// Writes a value of any type into the node.
    func write<T: Encodable>(_ value: T) throws {
        if try writeSimple(value) {
            node.kind = .value
            return
        }
        if !state.namesAreWritten, let dictionary = value as? any TextKeyedEncodableDictionary {
            begin(.object)
            return try dictionary.write(self)
        }
        guard node.depth < EncodingState.maximumDepth else {
            throw invalid(value, "the value is nested deeper than \(EncodingState.maximumDepth)")
        }
        try value.encode(to: self)
    }

    /// Writes a value that needs no container of its own at the end of the node. Returns false for other types.
    ///
    /// No cast can fail: each follows a comparison of the same types. `value as? String` would not do, because it also
    /// takes the content of optionals.
    func writeSimple<T: Encodable>(_ value: T) throws -> Bool {
        switch T.self {
        case is String.Type: node.write(value as! String)
        case is Int.Type: node.write(value as! Int)
        case is Int64.Type: node.write(value as! Int64)
        case is Bool.Type: node.write(value as! Bool)
        case is Double.Type: try write(double: value as! Double)
        case is Date.Type:
            guard let seconds = seconds(of: value as! Date) else { return try writeCustom(value as! Date) }
            try write(double: seconds)
        case is Data.Type:
            guard case .base64 = state.options.data else { return try writeCustom(value as! Data) }
            node.write((value as! Data).base64EncodedString())
        case is URL.Type: node.write((value as! URL).absoluteString)
        case is UUID.Type: node.write((value as! UUID).uuidString)
        case is Decimal.Type:
            let decimal = value as! Decimal
            guard !decimal.isNaN else { throw invalid(value, "JSON has no NaN") }
            node.bytes += decimal.description.utf8
        default: return false
        }
        return true
    }

    func write(double value: Double) throws {
        guard value.isFinite else { throw invalid(value, "JSON has no infinity and no NaN") }
        node.write(shortest: value.description)
    }

    func write(float value: Float) throws {
        guard value.isFinite else { throw invalid(value, "JSON has no infinity and no NaN") }
        node.write(shortest: value.description)
    }
}

/// Dictionaries with texts as keys, which are not converted as the names of properties are.
protocol TextKeyedEncodableDictionary {
    func write(_ encoder: ValueEncoder) throws
}

extension Dictionary: TextKeyedEncodableDictionary where Key == String, Value: Encodable {
    func write(_ encoder: ValueEncoder) throws {
        for (name, value) in self {
            encoder.node.beginMember(name)
            let key = PositionKey(stringValue: name)
            let isWritten: Bool
            do {
                isWritten = try encoder.writeSimple(value)
            } catch {
                let inner = ValueEncoder(state: encoder.state, node: encoder.node, parent: encoder.path, key: key)
                throw inner.relocated(error)
            }
            if !isWritten {
                try encoder.child(key).write(value)
            }
        }
    }
}
