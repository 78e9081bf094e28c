/// The members of an object.
public struct JSONMembers: Sequence, IteratorProtocol, BitwiseCopyable {
    @usableFromInline let text: UnsafePointer<UInt8>
    @usableFromInline let nodes: UnsafePointer<TapeNode>
    @usableFromInline var index: Int
    @usableFromInline let end: Int

    @inlinable init(text: UnsafePointer<UInt8>, nodes: UnsafePointer<TapeNode>, index: Int, end: Int) {
        self.text = text
        self.nodes = nodes
        self.index = index
        self.end = end
    }

    /// Whether no member is left.
    @inlinable public var isEmpty: Bool { index >= end }

    @inlinable public mutating func next() -> JSONMember? {
        guard index < end else { return nil }
        let name = JSONNode(text: text, nodes: nodes, index: index)
        let value = JSONNode(text: text, nodes: nodes, index: index + 1)
        index = Int(value.node.next)
        return JSONMember(name: JSONStringText(source: text, token: name.token), value: value)
    }
}
