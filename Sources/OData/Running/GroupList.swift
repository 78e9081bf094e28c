import Soups

/// The groups of a `groupby`, whose entities come one at a time. Entities belong to one group if their properties are
/// equal under `eq`; null is a value too.
struct GroupList<Data: EntityNode> {
    typealias Node = ResultNode<Data>

    /// The maximum number of groups of one `groupby`.
    private static var maximum: Int { 100_000 }

    private let paths: [PropertyPath]
    private let model: EdmModel?
    /// Most properties are not parts of values, and need not be looked for.
    private let isFlat: Bool
    private var positions: [GroupKey: Int] = [:]
    /// For each group, the grouping properties with the values of its first entity.
    private(set) var properties: [[ResultObject<Data>.Member]] = []
    private var keys = SortKeyList()
    /// The values of the last entity, in memory that is used again.
    private var values: [GroupingValue<Data>]

    init(_ paths: [PropertyPath], model: EdmModel?) {
        self.paths = paths
        self.model = model
        isFlat = paths.allSatisfy { $0.names.count == 1 }
        values = Array(repeating: GroupingValue(node: nil, term: .null), count: paths.count)
    }

    /// The names of the members of an entity that the paths look at; nil if they may look at any of them: a type in a
    /// path also looks at control information.
    var readMembers: [String]? { paths.allSatisfy(\.isPlain) ? paths.map { $0.names[0] } : nil }

    /// The number of groups.
    var count: Int { properties.count }

    /// The position of the group that an entity belongs to: `count` of before for a new group.
    ///
    /// - Parameter keep: Makes of the first entity of a group what is kept of it; nil if it stays in memory anyway.
    /// - Throws: `limitExceeded` for too many groups, and for data that is too deep.
    mutating func position(of entity: Node, keeping keep: ((Node) -> Node)?) throws(Fault) -> Int {
        readValues(of: entity)
        let key = try key()
        let new = count
        let position = Self.position(&positions[key, default: new])
        guard position == new else { return position }
        guard new < Self.maximum else {
            throw Fault(.limitExceeded, "groupby makes more than \(Self.maximum) groups")
        }
        if let keep {
            readValues(of: keep(entity))
        }
        appendProperties()
        return new
    }

    /// Reads a position. Because it could be changed here, the dictionary inserts the default of a new key, with one
    /// search instead of two.
    private static func position(_ position: inout Int) -> Int { position }

    private mutating func readValues(of entity: Node) {
        for index in paths.indices {
            values[index] = GroupingValue(of: paths[index], in: entity)
        }
    }

    /// What tells the group of an entity with these values apart.
    private func key() throws(Fault) -> GroupKey {
        if values.count == 1 {
            return try GroupKey(of: values[0].term, model: model)
        }
        return .list(try values.map { (value) throws(Fault) in try GroupKey(of: value.term, model: model) })
    }

    private mutating func appendProperties() {
        var members: [ResultObject<Data>.Member] = []
        members.reserveCapacity(paths.count)
        for index in paths.indices {
            let value = values[index]
            let node: Node = (value.term.isNull ? nil : value.node) ?? .value(.null)
            if isFlat {
                members.append((paths[index].names[0], node))
            } else {
                Self.insert(node, at: paths[index].names[...], into: &members)
            }
            keys.append(SortKey(value.term, model: model))
        }
        properties.append(members)
    }

    /// Puts a value at a path below an object; the objects between are made. Where one path goes on from another, the
    /// value of the shorter one has that of the longer in it.
    private static func insert(
        _ value: Node, at path: ArraySlice<String>, into members: inout [ResultObject<Data>.Member]
    ) {
        guard let first = path.first else { return }
        let known = members.firstIndex { $0.name.hasBytes(of: first) }
        guard path.count > 1 else {
            if let known {
                members[known].value = value
            } else {
                members.append((first, value))
            }
            return
        }
        guard let known else {
            var inner: [ResultObject<Data>.Member] = []
            insert(value, at: path.dropFirst(), into: &inner)
            members.append((first, .object(inner)))
            return
        }
        // Null has no parts.
        guard var inner = members[known].value.members else { return }
        insert(value, at: path.dropFirst(), into: &inner)
        members[known].value = .object(inner)
    }

    /// The positions of the groups in the order that `$orderby` would give the properties.
    var order: [Int] {
        let size = count == 0 ? 0 : keys.count / count
        return keys.withOrder { compare in
            (0..<count).sorted { a, b in
                for offset in 0..<size {
                    let order = compare(a * size + offset, b * size + offset)
                    if order != 0 {
                        return order < 0
                    }
                }
                return a < b
            }
        }
    }
}

/// The value of a grouping property of an entity, as data and as what is compared.
private struct GroupingValue<Data: EntityNode> {
    let node: ResultNode<Data>?
    let term: Term<ResultNode<Data>>

    init(node: ResultNode<Data>?, term: Term<ResultNode<Data>>) {
        self.node = node
        self.term = term
    }

    init(of path: PropertyPath, in entity: ResultNode<Data>) {
        node = path.node(in: entity)
        term = node.map { Term($0, declared: path.type) } ?? .null
    }
}
