import Soups

extension OptionExecution {
    /// Applies one step of `$apply`.
    mutating func apply(_ step: PreparedTransformation, to entities: [Node]) throws(Fault) -> [Node] {
        switch step {
        case .filter, .compute:
            var kept: [Node] = []
            for entity in entities {
                var entity = entity
                if try apply(step, toOne: &entity) {
                    kept.append(entity)
                }
            }
            return kept
        case .aggregate(let aggregates):
            return try reduce(entities, to: EntityReduction(nil, aggregates, model: model))
        case .groupBy(let paths, let steps):
            guard let aggregates = PreparedTransformation.aggregates(of: steps) else {
                return try groups(of: entities, by: paths, steps)
            }
            return try reduce(entities, to: EntityReduction(GroupList(paths, model: model), aggregates, model: model))
        case .choose(let options):
            try pay(entities.count)
            return try select(options, from: entities, counts: false) { $0 }.entities
        }
    }

    /// Applies a filter, or adds computed members. Returns whether the entity is kept. Other steps need all entities.
    mutating func apply(_ step: PreparedTransformation, toOne entity: inout Node) throws(Fault) -> Bool {
        switch step {
        case .filter(let predicate): return try evaluate(predicate, for: entity).boolean == true
        case .compute(let computations):
            try compute(computations, for: &entity)
            return true
        case .aggregate, .groupBy, .choose: return true
        }
    }

    private mutating func reduce(_ entities: [Node], to empty: EntityReduction<Data>) throws(Fault) -> [Node] {
        var reduction = empty
        for entity in entities {
            try add(entity, to: &reduction)
        }
        return try reduction.results()
    }

    /// Groups entities, and applies steps to each group.
    private mutating func groups(
        of entities: [Node], by paths: [PropertyPath], _ steps: [PreparedTransformation]
    ) throws(Fault) -> [Node] {
        var list = GroupList<Data>(paths, model: model)
        var groups = EntityGroups()
        for entity in entities {
            groups.append(to: try list.position(of: entity, keeping: nil))
        }
        var result: [Node] = []
        for group in list.order {
            try append(
                steps, ofGroup: Array(groups.members(of: group, in: entities)), list.properties[group], to: &result)
        }
        return result
    }

    /// Appends what the steps make of a group.
    ///
    /// - Parameter properties: The grouping properties.
    private mutating func append(
        _ steps: [PreparedTransformation], ofGroup group: [Node], _ properties: [ResultObject<Data>.Member],
        to result: inout [Node]
    ) throws(Fault) {
        var entities = group
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
            var members = properties
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
}
