/// A value of a `JSONTape`. It refers to the tape and the text; see there for how long it is valid.
public struct JSONNode: BitwiseCopyable {
    @frozen public enum Kind: UInt8, Sendable, BitwiseCopyable {
        case null, `true`, `false`, number, string, object, array
    }

    @usableFromInline let text: UnsafePointer<UInt8>
    @usableFromInline let nodes: UnsafePointer<TapeNode>
    @usableFromInline let index: Int

    @inlinable init(text: UnsafePointer<UInt8>, nodes: UnsafePointer<TapeNode>, index: Int) {
        self.text = text
        self.nodes = nodes
        self.index = index
    }

    @inlinable @inline(__always) var node: TapeNode { nodes[index] }

    @inlinable public var kind: Kind { Kind(rawValue: node.kind.rawValue) ?? .null }
    @inlinable public var isNull: Bool { node.kind == .null }

    /// The range of the value in the text, with quotes and brackets.
    public var range: Range<Int> { Int(node.start)..<Int(node.end) }
    /// The offset of the value, for errors about it.
    @inlinable public var offset: Int { Int(node.start) }

    /// The value as written.
    @inlinable public var rawText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text + Int(node.start), count: Int(node.end - node.start))
    }

    /// The value of a boolean; nil for other kinds.
    public var bool: Bool? {
        switch node.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    // MARK: - Numbers

    /// The text of a number as written; nil for other kinds.
    @inlinable public var numberText: UnsafeRawBufferPointer? { node.kind == .number ? rawText : nil }

    /// Whether this is a number without decimal point and exponent.
    @inlinable public var isWrittenAsInteger: Bool { node.kind == .number && node.flag }

    /// The value of a number, exact if it is an integer of 64 bits, infinite if it is out of the range of a double; nil
    /// for other kinds.
    public var numeric: NumericValue? { node.kind == .number ? NumericText.value(rawText) : nil }

    /// The exact integer, if this is a number that is an integer of 64 bits.
    public var int64: Int64? {
        if case .integer(let value) = numeric {
            value
        } else {
            nil
        }
    }

    /// The nearest double, if this is a number.
    public var double: Double? {
        switch numeric {
        case .integer(let value): value == 0 && rawText.first == 0x2D ? -0.0 : Double(value)
        case .real(let value): value
        case .null, nil: nil
        }
    }

    // MARK: - Strings

    /// The text between the quotes as written; nil for other kinds.
    @inlinable public var stringText: JSONStringText? {
        node.kind == .string ? JSONStringText(source: text, token: token) : nil
    }

    /// The decoded text, if this is a string.
    public var string: String? { stringText?.string }

    @inlinable var token: StringToken {
        StringToken(start: Int(node.start) + 1, end: Int(node.end) - 1, isEscaped: node.flag)
    }

    // MARK: - Objects and arrays

    /// The members of an object in order; empty for other kinds.
    @inlinable public var members: JSONMembers {
        let node = node
        return JSONMembers(text: text, nodes: nodes, index: index + 1, end: node.kind == .object ? Int(node.next) : 0)
    }

    /// The elements of an array in order; empty for other kinds.
    @inlinable public var elements: JSONElements {
        let node = node
        return JSONElements(text: text, nodes: nodes, index: index + 1, end: node.kind == .array ? Int(node.next) : 0)
    }

    /// Returns the last member with the name; `nil` if no member has it or this is not an object. O(n) in the number of
    /// members.
    public subscript(_ name: StaticString) -> JSONNode? {
        var found: JSONNode?
        for member in members where member.name == name {
            found = member.value
        }
        return found
    }

    /// The value as a tree.
    public var value: JSONValue {
        // The text was already checked, with a depth limit that is valid for trees too.
        (try? JSONValue(parsing: rawText, options: .storedEntry)) ?? .null
    }
}
