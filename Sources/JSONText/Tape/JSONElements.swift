/// The elements of an array.
public struct JSONElements: Sequence, IteratorProtocol, BitwiseCopyable {
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

    @inlinable public mutating func next() -> JSONNode? {
        guard index < end else { return nil }
        let element = JSONNode(text: text, nodes: nodes, index: index)
        index = Int(element.node.next)
        return element
    }
}
