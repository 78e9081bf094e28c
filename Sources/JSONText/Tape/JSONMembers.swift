/// A member of an object on a tape.
public struct JSONMember: BitwiseCopyable {
    public let name: JSONStringText
    public let value: JSONNode
}

/// Goes over the members of an object.
public struct JSONMembers: Sequence, IteratorProtocol, BitwiseCopyable {
    let text: UnsafePointer<UInt8>
    let nodes: UnsafePointer<TapeNode>
    var index: Int
    let end: Int

    public mutating func next() -> JSONMember? {
        guard index < end else { return nil }
        let name = JSONNode(text: text, nodes: nodes, index: index)
        let value = JSONNode(text: text, nodes: nodes, index: index + 1)
        index = Int(value.node.next)
        return JSONMember(name: JSONStringText(source: text, token: name.token), value: value)
    }
}
