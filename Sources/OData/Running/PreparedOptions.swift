/// The options of one level, that of the entities or that of an expanded property, prepared for many entities.
package struct PreparedOptions: Sendable {
    package struct Computation: Sendable {
        let name: String
        package let evaluator: ODataEvaluator
    }

    package struct OrderItem: Sendable {
        package let evaluator: ODataEvaluator
        package let isDescending: Bool
    }

    /// An expanded property. A class, so that looking at it copies no options.
    package final class Expansion: Sendable {
        let path: PropertyPath
        let isReference: Bool
        package let isCount: Bool
        /// Whether the model declares the last property as a collection; nil if it does not declare it.
        let isCollection: Bool?
        /// The offset of the path in the text of `$expand`.
        package let offset: Int
        /// The names of the key properties, for references without an id.
        let keys: [String]
        package let options: PreparedOptions

        init(
            path: PropertyPath, isReference: Bool, isCount: Bool, isCollection: Bool?, offset: Int, keys: [String],
            options: PreparedOptions
        ) {
            self.path = path
            self.isReference = isReference
            self.isCount = isCount
            self.isCollection = isCollection
            self.offset = offset
            self.keys = keys
            self.options = options
        }

        /// Whether the options need anything of the members but their number.
        package var readsMembers: Bool {
            isReference || path.endsInType || options.readsEntities
        }

        /// Whether the item shows all members of a collection as they are, in their order.
        package var showsMembersAsTheyAre: Bool {
            !readsMembers && !isCount && !options.counts && options.skip == 0 && options.top == nil
        }

        /// Whether another item makes the same member of an entity.
        func collides(with other: Expansion) -> Bool {
            guard path.leadsToProperty(of: other.path) else { return false }
            guard isCount != other.isCount else { return true }
            return isCount ? other.options.counts : options.counts
        }

        /// Whether an instance to which the path leads has the type at its end, or an unknown one.
        func mayShow<Node: EntityNode>(_ instance: Node) -> Bool {
            path.mayPassCasts(instance, at: path.names.count)
        }

        /// The name of the expanded property; nil for a path of several names.
        package var name: String? { path.names.count == 1 ? path.names[0] : nil }
        /// The first name of the path.
        package var firstName: String? { path.names.first }
    }

    /// The type of the entities after `$apply`, if it is known.
    var entityType: String?
    var transformations: [PreparedTransformation] = []
    package var computations: [Computation] = []
    var search: SearchMatcher?
    package var filter: ODataEvaluator?
    package var order: [OrderItem] = []
    /// Whether entities that are equal in the order keep theirs also where the last item is descending.
    var keepsTies = false
    package var skip: Int64 = 0
    package var top: Int64?
    /// Whether the number of entities before `skip` and `top` is asked for.
    package var counts = false
    var selection: Selection?
    package private(set) var expansions: [Expansion] = []
    /// The names of the members that expansions take the place of in every entity.
    private var expandedNames: [String] = []

    mutating func append(_ expansion: Expansion) {
        expansions.append(expansion)
        guard let name = expansion.name else { return }
        expandedNames.append(name)
        if expansion.isCount || expansion.options.counts {
            expandedNames.append(name + "@odata.count")
        }
    }

    /// The options without what they leave of each member: which members, and in which order.
    var withoutProjection: PreparedOptions {
        var options = self
        options.selection = nil
        options.expansions = []
        options.expandedNames = []
        return options
    }

    /// Whether the options look at the entities, or make others of them. Otherwise they count and divide them at most.
    var readsEntities: Bool {
        filter != nil || search != nil || selection != nil || !order.isEmpty || !computations.isEmpty
            || !expansions.isEmpty || !transformations.isEmpty
    }

    /// The names of the members of an entity that its expanded members take the place of. A value that a path leads
    /// through stays as it is in an entity that has not the type in the path.
    func names<Data: EntityNode>(replacedBy expanded: [ResultObject<Data>.Member]) -> [String] {
        let hasPaths = expansions.contains { $0.name == nil }
        return hasPaths ? expandedNames + expanded.map { $0.name } : expandedNames
    }
}

/// One step of `$apply`, prepared for many entities.
enum PreparedTransformation: Sendable {
    case filter(ODataEvaluator)
    case compute([PreparedOptions.Computation])
    case aggregate([Aggregate])
    case groupBy([PropertyPath], [PreparedTransformation])
    /// Which entities are left, and in which order, as the options of a query say it.
    case choose(PreparedOptions)

    struct Aggregate: Sendable {
        enum Source: Sendable {
            /// The number of entities.
            case entities
            /// The values at the end of a path, which may lead through collections.
            case path(PropertyPath)
            case expression(ODataEvaluator)
        }

        let name: String
        let source: Source
        /// The method; nil for a count.
        let method: Transformation.Method?
    }

    /// The aggregates of a list of steps that is empty, or has only one `aggregate`; nil for other lists.
    static func aggregates(of steps: [PreparedTransformation]) -> [Aggregate]? {
        guard let first = steps.first else {
            return []
        }
        guard steps.count == 1, case .aggregate(let aggregates) = first else { return nil }
        return aggregates
    }

    /// Whether what becomes of an entity does not depend on others.
    var isOfOneEntity: Bool {
        switch self {
        case .filter, .compute: true
        case .aggregate, .groupBy, .choose: false
        }
    }

    /// Whether the step only leaves entities out.
    var isFilter: Bool {
        if case .filter = self {
            true
        } else {
            false
        }
    }

    /// Whether the results are no longer the entities themselves.
    var isReducing: Bool {
        switch self {
        case .filter, .compute, .choose: false
        case .aggregate, .groupBy: true
        }
    }
}
