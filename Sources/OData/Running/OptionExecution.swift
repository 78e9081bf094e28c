import Soups

/// Applies prepared options to the entities of one query.
struct OptionExecution<Data: EntityNode> {
    typealias Node = ResultNode<Data>

    let model: EdmModel?
    let limits: Limits
    /// The steps that all evaluations of the query may still take.
    var steps: Int
    /// The outermost entity while the members of an expanded property are read: the value of `$it`.
    private var outermost: Node?

    init(model: EdmModel?, limits: Limits) {
        self.model = model
        self.limits = limits
        steps = limits.querySteps
    }

    /// Applies the options in the order in which a service evaluates them.
    ///
    /// - Parameter output: Converts each entity of the result as soon as it is made.
    mutating func run<Output>(
        _ options: PreparedOptions, on entities: some Sequence<Node>, _ output: (Node) -> Output
    ) throws(Fault) -> (entities: [Output], count: Int64?) {
        try run(options, onAll: entities, counts: options.counts, output)
    }

    private mutating func run<Output>(
        _ options: PreparedOptions, onAll entities: some Sequence<Node>, counts: Bool, _ output: (Node) -> Output
    ) throws(Fault) -> (entities: [Output], count: Int64?) {
        guard !options.transformations.isEmpty else {
            return try select(options, from: entities, counts: counts, output)
        }
        var reduced = Array(entities)
        for entity in reduced {
            try checkKind(of: entity)
        }
        for step in options.transformations {
            reduced = try apply(step, to: reduced)
        }
        return try select(options, from: reduced, counts: counts, output)
    }

    /// Applies the options to the members of a collection within an entity.
    ///
    /// - Parameter counts: Whether their number before `$skip` and `$top` is asked for.
    mutating func run(
        _ options: PreparedOptions, onMembers members: [Node], counts: Bool
    ) throws(Fault) -> (entities: [Node], count: Int64?) {
        guard options.readsEntities || options.skip != 0 || options.top != nil else {
            // Most expanded properties have no options. Their members stay as they are.
            return (members, counts ? Int64(members.count) : nil)
        }
        return try run(options, onAll: members, counts: counts) { $0 }
    }

    /// The number of entities for which memory is taken before they are read.
    private static var maximumReserve: Int { 1_024 }

    /// Applies the options but `$apply` to entities.
    mutating func select<Output>(
        _ options: PreparedOptions, from entities: some Sequence<Node>, counts: Bool, _ output: (Node) -> Output
    ) throws(Fault) -> (entities: [Output], count: Int64?) {
        var result: [Output] = []
        // What is sorted before it becomes the result.
        var found: [Node] = []
        var keys = SortKeyList()
        var count: Int64 = 0
        let (end, overflow) = options.skip.addingReportingOverflow(options.top ?? .max)
        let last = overflow || options.top == nil ? Int64.max : end
        if !options.order.isEmpty {
            // A sequence may say that it is endless, and a filter may keep few.
            let expected = min(entities.underestimatedCount, Self.maximumReserve)
            found.reserveCapacity(expected)
            keys.reserveCapacity(expected * options.order.count)
        }
        for entity in entities {
            // Without an order, nothing that follows the last entity of the page is read.
            if options.order.isEmpty, !counts, count >= last {
                break
            }
            try checkKind(of: entity)
            var entity = entity
            try compute(options.computations, for: &entity)
            guard try keeps(entity, options) else { continue }
            count += 1
            guard options.order.isEmpty else {
                found.append(entity)
                try appendSortKeys(options.order, of: entity, to: &keys)
                continue
            }
            if count > options.skip, count <= last {
                result.append(output(try project(entity, options)))
            }
        }
        if !options.order.isEmpty {
            let positions = Self.positions(of: found.count, keys, by: options)
            let start = Int(min(options.skip, Int64(found.count)))
            let end = Int(min(max(last, Int64(start)), Int64(found.count)))
            result.reserveCapacity(end - start)
            for position in positions[start..<end] {
                result.append(output(try project(found[position], options)))
            }
        }
        return (result, counts ? count : nil)
    }

    /// Throws `invalidEntry` for an entity of the sequence that is not an object. Members of collections may be
    /// anything.
    private func checkKind(of entity: Node) throws(Fault) {
        guard outermost == nil else { return }
        guard case .object = entity.content else {
            throw Fault(.invalidEntry, "every entity must be an object")
        }
    }

    /// Evaluates an expression for an entity. Paths start at it, and `$it` is the outermost one.
    mutating func evaluate(_ evaluator: ODataEvaluator, for entity: Node) throws(Fault) -> Term<Node> {
        if let property = evaluator.propertyName {
            return try value(of: property, evaluator, for: entity)
        }
        // Data are evaluated themselves, because they are smaller than nodes of a result.
        if case .data(let data) = entity, outermost == nil || !evaluator.readsOutermost {
            return Term(try finish(Evaluation(evaluator, entity: data, root: nil)))
        }
        return try finish(Evaluation(evaluator, entity: outermost ?? entity, start: entity, root: nil))
    }

    /// Evaluates an expression that is nothing but the name of a property, without an evaluation's memory.
    private mutating func value(
        of property: String, _ evaluator: ODataEvaluator, for entity: Node
    ) throws(Fault) -> Term<Node> {
        var budget = EvaluationBudget(limits)
        try budget.spend()
        let type = evaluator.types[evaluator.expression.root]
        var term = Term<Node>.null
        if case .data(let data) = entity {
            if let member = data.member(property) {
                term = Term(try budget.term(member, declared: type))
            }
        } else if let member = entity.member(property) {
            term = try budget.term(member, declared: type)
        }
        try pay(limits.steps - budget.steps)
        return term
    }

    private mutating func finish<Entity>(_ run: consuming Evaluation<Entity>) throws(Fault) -> Term<Entity> {
        let term = try run.term(run.evaluator.expression.root)
        try pay(limits.steps - run.budget.steps)
        return term
    }

    /// Takes steps from those that the query has left.
    mutating func pay(_ count: Int) throws(Fault) {
        steps -= count
        guard steps >= 0 else {
            throw Fault(.limitExceeded, "the query takes too many steps; raise Limits.querySteps")
        }
    }

    /// Appends computed members to an entity.
    mutating func compute(
        _ computations: [PreparedOptions.Computation], for entity: inout Node
    ) throws(Fault) {
        for computation in computations {
            guard entity.member(computation.name) == nil else {
                throw Fault(
                    .invalidArguments, "an entity has a property of the name that a computed one gets; rename it",
                    context: [.path(computation.name)])
            }
            // Looking for a name among those computed before takes as many steps.
            steps -= computations.count
            let term = try evaluate(computation.evaluator, for: entity)
            entity.append(computation.name, try Self.node(term))
        }
    }

    private static func node(_ term: Term<Node>) throws(Fault) -> Node {
        if case .node(let node) = term {
            return node
        }
        return .value(try term.value())
    }

    private mutating func keeps(_ entity: Node, _ options: PreparedOptions) throws(Fault) -> Bool {
        if let search = options.search, !search.matches(entity) {
            return false
        }
        guard let filter = options.filter else {
            return true
        }
        return try evaluate(filter, for: entity).boolean == true
    }

    private mutating func appendSortKeys(
        _ order: [PreparedOptions.OrderItem], of entity: Node, to keys: inout SortKeyList
    ) throws(Fault) {
        for item in order {
            keys.append(SortKey(try evaluate(item.evaluator, for: entity), model: model))
        }
    }

    /// The positions of entities sorted by their keys, as many for each as there are items. Ties keep their order, or
    /// are reversed if the last item is descending, unless the options say that they keep it.
    private static func positions(of count: Int, _ keys: SortKeyList, by options: PreparedOptions) -> [Int] {
        let items = options.order
        var positions = Array(0..<count)
        guard count > 1 else {
            return positions
        }
        let isReversed = items.last?.isDescending == true && !options.keepsTies
        keys.withOrder { compare in
            positions.sort { a, b in
                for item in items.indices {
                    let order = compare(a * items.count + item, b * items.count + item)
                    if order != 0 {
                        return items[item].isDescending ? order > 0 : order < 0
                    }
                }
                return isReversed ? a > b : a < b
            }
        }
        return positions
    }

    /// Runs a closure while an entity is the value of `$it`, unless there is an outer one.
    mutating func within<Result>(
        _ entity: Node, _ work: (inout OptionExecution) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        let outer = outermost
        outermost = outer ?? entity
        defer { outermost = outer }
        return try work(&self)
    }
}
