import Soups

/// What `aggregate`, or a `groupby` with nothing else in it, makes of entities that come one at a time. It keeps the
/// grouping properties and the running values of each group, but not its entities.
struct EntityReduction<Data: EntityNode> {
    typealias Node = ResultNode<Data>

    /// The groups; nil if all entities are one group without properties.
    private(set) var groups: GroupList<Data>?
    let aggregates: [PreparedTransformation.Aggregate]
    /// As many for each group as there are aggregates.
    private var values: [RunningValue] = []
    /// About how many bytes the different values of the aggregates take.
    private(set) var byteCount = 0
    private let model: EdmModel?

    /// The running value of an aggregate over one group.
    struct RunningValue {
        var count: Int64 = 0
        /// Nil for a count.
        var aggregation: Aggregation?
    }

    init(_ groups: GroupList<Data>?, _ aggregates: [PreparedTransformation.Aggregate], model: EdmModel?) {
        self.groups = groups
        self.aggregates = aggregates
        self.model = model
        if groups == nil {
            appendValues()
        }
    }

    /// Creates the reduction of a step; nil if the step needs the entities of a group together.
    init?(_ step: PreparedTransformation, model: EdmModel?) {
        switch step {
        case .aggregate(let aggregates): self.init(nil, aggregates, model: model)
        case .groupBy(let paths, let steps):
            guard let aggregates = PreparedTransformation.aggregates(of: steps) else { return nil }
            self.init(GroupList(paths, model: model), aggregates, model: model)
        case .filter, .compute, .choose: return nil
        }
    }

    /// The number of groups.
    var count: Int { groups?.count ?? 1 }

    /// The position of the group that an entity belongs to, as `GroupList` finds it.
    mutating func group(of entity: Node, keeping keep: ((Node) -> Node)?) throws(Fault) -> Int {
        let known = count
        guard let position = try groups?.position(of: entity, keeping: keep) else { return 0 }
        if position == known {
            appendValues()
        }
        return position
    }

    private mutating func appendValues() {
        for aggregate in aggregates {
            values.append(RunningValue(aggregation: aggregate.method.map { Aggregation($0, model: model) }))
        }
    }

    /// Runs work with a running value, and notes how much it has grown.
    mutating func change(
        _ index: Int, ofGroup group: Int, _ work: (inout RunningValue) throws(Fault) -> Void
    ) throws(Fault) {
        let position = group * aggregates.count + index
        let known = values[position].aggregation?.byteCount ?? 0
        try work(&values[position])
        byteCount += (values[position].aggregation?.byteCount ?? 0) - known
    }

    /// The objects that the step makes, in the order of the groups.
    func results() throws(Fault) -> [Node] {
        guard let groups else {
            return [try object([], group: 0)]
        }
        return try groups.order.map { (group) throws(Fault) in try object(groups.properties[group], group: group) }
    }

    private func object(_ properties: [ResultObject<Data>.Member], group: Int) throws(Fault) -> Node {
        var members = properties
        members.reserveCapacity(properties.count + aggregates.count)
        for (index, aggregate) in aggregates.enumerated() {
            let value = values[group * aggregates.count + index]
            members.append((aggregate.name, .value(try value.aggregation?.result() ?? .int64(value.count))))
        }
        return .object(members)
    }
}

extension OptionExecution {
    /// Adds an entity to its group.
    ///
    /// - Parameter keep: Makes of the first entity of a group what is kept of it; nil if it stays in memory anyway.
    mutating func add(
        _ entity: Node, to reduction: inout EntityReduction<Data>, keeping keep: ((Node) -> Node)? = nil
    ) throws(Fault) {
        let group = try reduction.group(of: entity, keeping: keep)
        for (index, aggregate) in reduction.aggregates.enumerated() {
            try reduction.change(index, ofGroup: group) { (value) throws(Fault) in
                try add(entity, aggregate.source, to: &value)
            }
        }
    }

    private mutating func add(
        _ entity: Node, _ source: PreparedTransformation.Aggregate.Source,
        to value: inout EntityReduction<Data>.RunningValue
    ) throws(Fault) {
        guard value.aggregation != nil else {
            value.count += try number(of: source, in: entity)
            return
        }
        switch source {
        case .entities: return
        case .path(let path):
            try path.forEachTerm(in: entity) { term throws(Fault) in try value.aggregation?.add(term) }
        case .expression(let evaluator): try value.aggregation?.add(try evaluate(evaluator, for: entity))
        }
    }

    /// `$count as Name` counts the entities, `Path/$count as Name` the members of a collection of all of them.
    private mutating func number(
        of source: PreparedTransformation.Aggregate.Source, in entity: Node
    ) throws(Fault) -> Int64 {
        guard case .expression(let evaluator) = source else {
            return 1
        }
        guard case .value(.int64(let count)) = try evaluate(evaluator, for: entity) else { return 0 }
        return count
    }
}
