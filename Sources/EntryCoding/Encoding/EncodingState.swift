/// What the containers of one encoder share: its options, and nodes to use again.
final class EncodingState {
    /// Beyond this depth a value is refused: the store and JSONDecoder would not read it.
    static let maximumDepth = 512

    let options: CodingOptions
    let namesAreWritten: Bool
    private var free: [EncodingNode] = []

    init(_ options: CodingOptions) {
        self.options = options
        namesAreWritten = options.keys.isAsWritten
    }

    func take() -> EncodingNode { free.popLast() ?? EncodingNode() }

    /// Takes back a node with those inside. One that is still in use, such as by an encoder that was kept, is left to
    /// its owner.
    func giveBack(_ node: EncodingNode) {
        var rest = [node]
        while var node = rest.popLast() {
            rest += node.children.map(\.node)
            node.children.removeAll(keepingCapacity: true)
            guard isKnownUniquelyReferenced(&node), free.count < 64 else { continue }
            node.reset()
            free.append(node)
        }
    }
}
