public import Soups

extension QueryOptions {
    /// Checks names and types in all options against the type of the requested entities.
    ///
    /// Throws `unknownProperty`, `typeMismatch`, or `invalidArguments` for a computed name that the type has; offsets
    /// count in the text of each option. An entity type that its schema in the model lacks is `typeMismatch`. Steps
    /// after `aggregate` or `groupby` work on other properties: they and the other options are not checked.
    public func check(against model: EdmModel, entityType: String) throws(Fault) {
        try model.requireType(entityType)
        try OptionChecker(model: model, type: model.resolve(entityType)).check(self)
    }
}

/// Checks options, given the type at which their paths start.
struct OptionChecker {
    let model: EdmModel
    let type: String
    /// Converts the offset of a fault in an option to one in the whole URL.
    var locate: @Sendable (SystemOption, Fault) -> Fault = { _, fault in fault }
    /// Names that `$expand` and `$select` may use though no type declares them.
    var relations = RelationNames()
    /// The type of `$it` in nested options; nil in the outermost ones.
    var outermost: StaticType?
    /// The aliases of the options around these.
    var aliases: AliasScope?

    func check(_ options: QueryOptions) throws(Fault) {
        guard model.structuredType(type) != nil else { return }
        var checker = self
        checker.aliases = aliases?.nested(options.aliases) ?? AliasScope(options.aliases)
        try checker.checkOptions(options)
    }

    private func checkOptions(_ options: QueryOptions) throws(Fault) {
        var names: Set<ByteKey> = []
        var isOfEntities = true
        try located(.apply) { () throws(Fault) in
            isOfEntities = try check(options.apply ?? [], &names)
        }
        guard isOfEntities else { return }
        try located(.compute) { () throws(Fault) in
            try check(options.compute ?? [], &names)
        }
        try located(.filter) { () throws(Fault) in
            if let filter = options.filter {
                try check(filter, isFilter: true, names)
            }
        }
        try located(.orderby) { () throws(Fault) in
            for item in options.orderBy ?? [] {
                try check(item, names)
            }
        }
        try located(.select) { () throws(Fault) in
            for item in options.select ?? [] {
                let path = OptionPath(item.path, offset: item.offset, mayEndInOperation: true)
                try check(item.options, at: try target(of: path, names), names)
            }
        }
        try located(.expand) { () throws(Fault) in
            for item in options.expand ?? [] {
                try check(item, names)
            }
        }
    }

    private func check(_ item: ExpandItem, _ names: Set<ByteKey>) throws(Fault) {
        let path = OptionPath(item.path, offset: item.offset)
        let target = try target(of: path, names)
        guard mayBeExpanded(path, target) else {
            throw Fault(
                .typeMismatch, "only navigation properties and streams can be expanded", offset: item.offset,
                context: [.path(item.path)])
        }
        guard !item.isCount || target.isCollection || target.base == .unknown else {
            throw Fault(.typeMismatch, "$count needs a collection", offset: item.offset, context: [.path(item.path)])
        }
        try check(item.options, at: target, names)
    }

    /// Whether a path may lead to related entities or a stream, as far as the type at its end tells.
    private func mayBeExpanded(_ path: OptionPath, _ target: StaticType) -> Bool {
        switch target.base {
        case .primitive(let type): type == .stream
        case .enumeration: false
        case .structured(let name): model.structuredType(name)?.kind != .complex
        default: true
        }
    }

    private func located(_ option: SystemOption, _ work: () throws(Fault) -> Void) throws(Fault) {
        do throws(Fault) { try work() } catch { throw locate(option, error) }
    }

    @discardableResult private func check(
        _ expression: ODataExpression, isFilter: Bool, _ names: Set<ByteKey>
    ) throws(Fault) -> StaticType {
        var checker = TypeChecker(
            expression, model: model, entityType: type, outermost: outermost, computedNames: names)
        checker.aliases = aliases
        guard isFilter else {
            return try checker.check(expression.root)
        }
        try checker.checkFilter()
        return .boolean
    }

    /// Checks what is computed. The name of a result must not be that of a property (OData URL Conventions 4.01,
    /// 5.1.3).
    private func check(_ items: [ComputeItem], _ names: inout Set<ByteKey>) throws(Fault) {
        for item in items {
            try check(item.expression, isFilter: false, names)
            guard model.property(item.name, of: type) == nil, model.navigation(item.name, of: type) == nil else {
                throw Fault(
                    .invalidArguments, "the type has a property of the name that a computed one gets; rename it",
                    offset: item.offset, context: [.path(item.name)])
            }
            guard names.insert(ByteKey(item.name)).inserted else {
                throw Fault(
                    .invalidArguments, "two computed properties have the same name; rename one", offset: item.offset,
                    context: [.path(item.name)])
            }
        }
    }

    private func check(_ item: OrderByItem, _ names: Set<ByteKey>) throws(Fault) {
        guard try check(item.expression, isFilter: false, names).isSortable else {
            throw Fault(
                .typeMismatch, "values of this type cannot be sorted",
                offset: item.expression.nodes[item.expression.root].range.lowerBound)
        }
    }

    /// Checks the options nested in an item of `$select` or `$expand`.
    private func check(_ options: QueryOptions?, at target: StaticType, _ names: Set<ByteKey>) throws(Fault) {
        guard let options, let name = target.structuredName else { return }
        try OptionChecker(
            model: model, type: name, relations: relations, outermost: outermost ?? .outermost(type, names),
            aliases: aliases
        )
        .check(options)
    }

    /// Checks the steps that work on the entities themselves. Returns false after a step that produces other objects.
    private func check(_ steps: [Transformation], _ names: inout Set<ByteKey>) throws(Fault) -> Bool {
        for step in steps {
            switch step {
            case .filter(let predicate): try check(predicate, isFilter: true, names)
            case .search, .skip, .top: break
            case .orderBy(let items):
                for item in items {
                    try check(item, names)
                }
            case .compute(let items): try check(items, &names)
            case .aggregate(let items):
                for item in items {
                    try check(item, names)
                }
                return false
            case .groupBy(let properties, let inner):
                for property in properties {
                    let path = OptionPath(property.path, offset: property.offset, isSingle: true)
                    _ = try target(of: path, names)
                }
                _ = try check(inner, &names)
                return false
            }
        }
        return true
    }

    private func check(_ item: Transformation.Aggregate, _ names: Set<ByteKey>) throws(Fault) {
        guard let expression = item.expression else { return }
        let type = try self.type(of: expression, names).element
        // What the standard methods take (OData Data Aggregation 4.0, 3.1.3).
        let isTaken =
            switch item.method {
            case .sum, .average: type.isNumeric
            case .min, .max: type.isOrdered
            case .countdistinct, nil: true
            }
        guard isTaken else {
            throw Fault(
                .typeMismatch, "the method cannot aggregate values of this type",
                offset: expression.nodes[expression.root].range.lowerBound)
        }
    }

    /// The type of an aggregated expression. A plain path may go through collections: all values that it reaches are
    /// aggregated. Any other expression must have one value for each entity.
    private func type(of expression: ODataExpression, _ names: Set<ByteKey>) throws(Fault) -> StaticType {
        let root = expression.nodes[expression.root]
        let path = root.kind == .count ? Int(root.first) : expression.root
        guard expression.nodes[path].kind == .path,
            expression.children(of: path).allSatisfy({ expression.nodes[$0].kind == .name })
        else {
            return try check(expression, isFilter: false, names)
        }
        let offset = expression.nodes[path].range.lowerBound
        return try target(of: OptionPath(expression.text(of: path), offset: offset), names)
    }
}
