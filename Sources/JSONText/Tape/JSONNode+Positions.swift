// Positions of nodes on their tape, for readers that remember where they found something last.
extension JSONNode {
    /// The position of the node on its tape.
    @inlinable package var position: Int { index }

    /// The position of the first member or element.
    @inlinable package var firstPosition: Int { index + 1 }

    /// The position after the last node inside this one.
    @inlinable package var endPosition: Int { Int(node.next) }

    /// The member of this object whose name is at a position.
    @inlinable package func member(at position: Int) -> JSONMember {
        let name = JSONNode(text: text, nodes: nodes, index: position)
        return JSONMember(
            name: JSONStringText(source: text, token: name.token),
            value: JSONNode(text: text, nodes: nodes, index: position + 1))
    }

    /// The element of this array at a position.
    @inlinable package func element(at position: Int) -> JSONNode {
        JSONNode(text: text, nodes: nodes, index: position)
    }
}
