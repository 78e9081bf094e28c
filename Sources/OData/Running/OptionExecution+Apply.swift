import Soups

extension OptionExecution {
    /// The maximum number of groups of one `groupby`.
    private static var maximumGroups: Int { 100_000 }

    /// Applies one step of `$apply`.
    mutating func apply(_ step: PreparedTransformation, to entities: [Node]) throws(Fault) -> [Node] {
        switch step {
        case .filter(let predicate):
            var kept: [Node] = []
            for entity in entities where try evaluate(predicate, for: entity).boolean == true {
                kept.append(entity)
            }
            return kept
        case .compute(let computations):
            var extended: [Node] = []
            extended.reserveCapacity(entities.count)
            for entity in entities {
                var entity = entity
                try compute(computations, for: &entity)
                extended.append(entity)
            }
            return extended
        case .aggregate(let aggregates):
            var members: [ResultObject<Data>.Member] = []
            try appendResults(of: aggregates, over: entities, to: &members)
            return [.object(members)]
        case .groupBy(let paths, let steps): return try groups(of: entities, by: paths, steps)
        case .choose(let options):
            try pay(entities.count)
            return try select(options, from: entities, counts: false) { $0 }.entities
        }
    }

    /// The value of a grouping property of an entity, as data and as what is compared.
    private struct GroupingValue {
        let node: Node?
        let term: Term<Node>

        init(node: Node?, term: Term<Node>) {
            self.node = node
            self.term = term
        }

        init(of path: PropertyPath, in entity: Node) {
            node = path.node(in: entity)
            term = node.map { Term($0, declared: path.type) } ?? .null
        }
    }

    /// Groups entities whose properties are equal under `eq`. Null is a group too. The groups are in the order that
    /// `$orderby` would give the properties.
    private mutating func groups(
        of entities: [Node], by paths: [PropertyPath], _ steps: [PreparedTransformation]
    ) throws(Fault) -> [Node] {
        var groups = EntityGroups()
        // For each group, the grouping properties with the values of its first entity.
        var members: [[ResultObject<Data>.Member]] = []
        var keys = SortKeyList()
        // Most properties are not parts of values, and need not be looked for.
        let isFlat = paths.allSatisfy { $0.names.count == 1 }
        var values: [GroupingValue] = Array(repeating: GroupingValue(node: nil, term: .null), count: paths.count)
        for entity in entities {
            for index in paths.indices {
                values[index] = GroupingValue(of: paths[index], in: entity)
            }
            let key = try key(of: values)
            guard groups.append(to: key) else { continue }
            guard groups.count <= Self.maximumGroups else {
                throw Fault(.limitExceeded, "groupby makes more than \(Self.maximumGroups) groups")
            }
            var properties: [ResultObject<Data>.Member] = []
            properties.reserveCapacity(paths.count + (steps.first?.resultCount ?? 0))
            for index in paths.indices {
                let value = values[index]
                let node: Node = (value.term.isNull ? nil : value.node) ?? .value(.null)
                if isFlat {
                    properties.append((paths[index].names[0], node))
                } else {
                    Self.insert(node, at: paths[index].names[...], into: &properties)
                }
                keys.append(SortKey(value.term, model: model))
            }
            members.append(properties)
        }
        var result: [Node] = []
        result.reserveCapacity(groups.count)
        for position in Self.order(of: groups.count, keys) {
            var properties: [ResultObject<Data>.Member] = []
            swap(&properties, &members[position])
            let group = groups.members(of: position, in: entities)
            try reduce(group, properties, steps, into: &result)
        }
        return result
    }

    /// What tells the group of an entity with these values apart.
    private func key(of values: [GroupingValue]) throws(Fault) -> GroupKey {
        if values.count == 1 {
            return try GroupKey(of: values[0].term, model: model)
        }
        return .list(try values.map { (value) throws(Fault) in try GroupKey(of: value.term, model: model) })
    }

    /// The positions of groups in the order of their keys, of which each has as many.
    private static func order(of count: Int, _ keys: SortKeyList) -> [Int] {
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

    /// Appends what the steps make of a group.
    ///
    /// - Parameter properties: The grouping properties.
    private mutating func reduce(
        _ group: EntityGroups.Members<Node>, _ properties: consuming [ResultObject<Data>.Member],
        _ steps: [PreparedTransformation], into result: inout [Node]
    ) throws(Fault) {
        guard !steps.isEmpty else {
            result.append(.object(properties))
            return
        }
        // Most groups have one step.
        if steps.count == 1, case .aggregate(let aggregates) = steps[0] {
            try appendResults(of: aggregates, over: group, to: &properties)
            result.append(.object(properties))
            return
        }
        var entities = Array(group)
        var isReduced = false
        for step in steps {
            entities = try apply(step, to: entities)
            isReduced = isReduced || step.isReducing
        }
        guard isReduced else {
            result += entities
            return
        }
        let outer = properties
        for entity in entities {
            var members = outer
            for member in entity.members ?? [] {
                Self.merge(member, into: &members)
            }
            result.append(.object(members))
        }
    }

    /// Adds a member. Where inner groups have a property of the same object as outer ones, the objects become one.
    private static func merge(
        _ member: ResultObject<Data>.Member, into members: inout [ResultObject<Data>.Member]
    ) {
        guard let known = members.firstIndex(where: { $0.name.hasBytes(of: member.name) }) else {
            members.append(member)
            return
        }
        guard var merged = members[known].value.members, let inner = member.value.members else { return }
        for part in inner {
            merge(part, into: &merged)
        }
        members[known].value = .object(merged)
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
}

extension OptionExecution {
    private mutating func appendResults(
        of aggregates: [PreparedTransformation.Aggregate], over entities: some Sequence<Node>,
        to members: inout [ResultObject<Data>.Member]
    ) throws(Fault) {
        for aggregate in aggregates {
            guard let method = aggregate.method else {
                members.append((aggregate.name, .value(.int64(try number(of: aggregate.source, in: entities)))))
                continue
            }
            var aggregation = Aggregation(method, model: model)
            for entity in entities {
                switch aggregate.source {
                case .entities: continue
                case .path(let path):
                    try path.forEachTerm(in: entity) { term throws(Fault) in try aggregation.add(term) }
                case .expression(let evaluator): try aggregation.add(try evaluate(evaluator, for: entity))
                }
            }
            members.append((aggregate.name, .value(try aggregation.result())))
        }
    }

    /// `$count as Name` counts the entities, `Path/$count as Name` the members of a collection of all of them.
    private mutating func number(
        of source: PreparedTransformation.Aggregate.Source, in entities: some Sequence<Node>
    ) throws(Fault) -> Int64 {
        guard case .expression(let evaluator) = source else {
            return entities.reduce(0) { count, _ in count + 1 }
        }
        var sum: Int64 = 0
        for entity in entities {
            if case .value(.int64(let count)) = try evaluate(evaluator, for: entity) {
                sum += count
            }
        }
        return sum
    }
}
