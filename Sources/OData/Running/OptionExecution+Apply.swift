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
            for entity in entities {
                extended.append(try compute(computations, for: entity))
            }
            return extended
        case .aggregate(let aggregates): return [.object(try results(of: aggregates, over: entities))]
        case .groupBy(let paths, let steps): return try groups(of: entities, by: paths, steps)
        }
    }

    private struct Group {
        /// The grouping properties with the values of the first entity.
        let members: [ResultObject<Data>.Member]
        var entities: [Node]
    }

    /// Groups entities whose properties are equal under `eq`. Null is a group too. The groups are in the order that
    /// `$orderby` would give the properties.
    private mutating func groups(
        of entities: [Node], by paths: [PropertyPath], _ steps: [PreparedTransformation]
    ) throws(Fault) -> [Node] {
        var positions: [GroupKey: Int] = [:]
        var groups: [Group] = []
        var keys = SortKeyList()
        for entity in entities {
            let terms = paths.map { $0.term(in: entity) }
            let key = terms.count == 1 ? GroupKey(terms[0]) : .list(terms.map { GroupKey($0) })
            if let known = positions[key] {
                groups[known].entities.append(entity)
                continue
            }
            guard groups.count < Self.maximumGroups else {
                throw Fault(.limitExceeded, "groupby makes more than \(Self.maximumGroups) groups")
            }
            positions[key] = groups.count
            var members: [ResultObject<Data>.Member] = []
            for (path, term) in zip(paths, terms) {
                let value: Node = term.isNull ? .value(.null) : path.node(in: entity) ?? .value(.null)
                Self.insert(value, at: path.names[...], into: &members)
                keys.append(SortKey(term, model: nil))
            }
            groups.append(Group(members: members, entities: [entity]))
        }
        var result: [Node] = []
        result.reserveCapacity(groups.count)
        for position in Self.order(of: groups.count, keys) {
            try reduce(groups[position], steps, into: &result)
        }
        return result
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
    private mutating func reduce(
        _ group: Group, _ steps: [PreparedTransformation], into result: inout [Node]
    ) throws(Fault) {
        guard !steps.isEmpty else {
            result.append(.object(group.members))
            return
        }
        // Most groups have one step.
        if steps.count == 1, case .aggregate(let aggregates) = steps[0] {
            let results = try results(of: aggregates, over: group.entities)
            result.append(.object(group.members + results))
            return
        }
        var entities = group.entities
        var isReduced = false
        for step in steps {
            entities = try apply(step, to: entities)
            isReduced = isReduced || step.isReducing
        }
        guard isReduced else {
            result += entities
            return
        }
        for entity in entities {
            result.append(.object(group.members + (entity.members ?? [])))
        }
    }

    /// Puts a value at a path below an object; the objects between are made.
    private static func insert(
        _ value: Node, at path: ArraySlice<String>, into members: inout [ResultObject<Data>.Member]
    ) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            members.append((first, value))
            return
        }
        let known = members.firstIndex { $0.name.hasBytes(of: first) }
        var inner = known.flatMap { members[$0].value.members } ?? []
        insert(value, at: path.dropFirst(), into: &inner)
        if let known {
            members[known].value = .object(inner)
        } else {
            members.append((first, .object(inner)))
        }
    }
}

extension OptionExecution {
    private mutating func results(
        of aggregates: [PreparedTransformation.Aggregate], over entities: [Node]
    ) throws(Fault) -> [ResultObject<Data>.Member] {
        var members: [ResultObject<Data>.Member] = []
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
                    try path.forEachTerm(in: entity) { term throws(Fault) in try aggregation.add(term.value) }
                case .expression(let evaluator): try aggregation.add(try evaluate(evaluator, for: entity).value)
                }
            }
            members.append((aggregate.name, .value(try aggregation.result())))
        }
        return members
    }

    /// `$count as Name` counts the entities, `Path/$count as Name` the members of a collection of all of them.
    private mutating func number(
        of source: PreparedTransformation.Aggregate.Source, in entities: [Node]
    ) throws(Fault) -> Int64 {
        guard case .expression(let evaluator) = source else {
            return Int64(entities.count)
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
