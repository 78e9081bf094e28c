/// Goes over the elements of an array.
public struct JSONElements: Sequence, IteratorProtocol, BitwiseCopyable {
    let text: UnsafePointer<UInt8>
    let nodes: UnsafePointer<TapeNode>
    var index: Int
    let end: Int

    public mutating func next() -> JSONNode? {
        guard index < end else { return nil }
        let element = JSONNode(text: text, nodes: nodes, index: index)
        index = Int(element.node.next)
        return element
    }
}
