/// The groups of a `groupby`. Each is a chain of positions of its entities, because most have few and a list of their
/// own would cost more than they do.
struct EntityGroups {
    private var positions: [GroupKey: Int] = [:]
    private var first: [Int] = []
    private var last: [Int] = []
    /// For each entity the next one of its group, or the end of the chain.
    private var next: [Int] = []
    private static let end = -1

    /// The number of groups.
    var count: Int { first.count }

    /// Appends the next entity to the group of a key. Returns whether the group is new.
    mutating func append(to key: GroupKey) -> Bool {
        let entity = next.count
        next.append(Self.end)
        let new = count
        let group = Self.position(&positions[key, default: new])
        guard group == new else {
            next[last[group]] = entity
            last[group] = entity
            return false
        }
        first.append(entity)
        last.append(entity)
        return true
    }

    /// Reads a position. Because it could be changed here, the dictionary inserts the default of a new key, with one
    /// search instead of two.
    private static func position(_ position: inout Int) -> Int { position }

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
