/// The entities of the groups of a `groupby`. Each is a chain of positions of its entities, because most have few and a
/// list of their own would cost more than they do.
struct EntityGroups {
    private var first: [Int] = []
    private var last: [Int] = []
    /// For each entity the next one of its group, or the end of the chain.
    private var next: [Int] = []
    private static let end = -1

    /// Appends the next entity to a group, or to a new one.
    ///
    /// - Parameter group: The position of the group; that of a new one is the number of groups.
    mutating func append(to group: Int) {
        let entity = next.count
        next.append(Self.end)
        if group == first.count {
            first.append(entity)
            last.append(entity)
        } else {
            next[last[group]] = entity
            last[group] = entity
        }
    }

    /// The entities of a group, in their order.
    func members<Node>(of group: Int, in entities: [Node]) -> Members<Node> {
        Members(entities: entities, following: next, position: first[group])
    }

    /// The entities of one group.
    struct Members<Node>: Sequence, IteratorProtocol {
        fileprivate let entities: [Node]
        fileprivate let following: [Int]
        fileprivate var position: Int

        mutating func next() -> Node? {
            guard position != EntityGroups.end else { return nil }
            defer { position = following[position] }
            return entities[position]
        }
    }
}
