import Soups

/// Checks options and prepares their expressions, given the type at which their paths start.
struct OptionPreparation {
    let model: EdmModel?
    /// The type of the entities; nil if it is not known, and after `aggregate` and `groupby`.
    var entityType: String?
    let now: EdmDateTimeOffset
    let limits: Limits
    /// The version of the options.
    let version: ODataVersion
    /// Converts the offset of a fault in an option to one in the whole query.
    let locate: @Sendable (SystemOption, Fault) -> Fault
    var aliases: [QueryOptions.Alias] = []
    var computedNames: Set<ByteKey> = []
    /// The type of `$it` in nested options, unknown for an entity with computed properties; nil in the outermost ones.
    var outermost: StaticType?
    /// How many `$expand` contain the options.
    var depth = 0
    /// The relations whose entities are found elsewhere. They may be expanded several levels deep.
    var relations = RelationNames()

    /// The maximum depth of `$expand`.
    static let maximumDepth = 6

    mutating func prepare(_ options: QueryOptions) throws(Fault) -> PreparedOptions {
        try refuseTokens(options)
        aliases = options.aliases + aliases
        var prepared = PreparedOptions()
        for step in options.apply ?? [] {
            prepared.transformations.append(try located(.apply) { p throws(Fault) in try p.prepare(step) })
        }
        prepared.entityType = entityType
        prepared.computations = try located(.compute) { p throws(Fault) in
            try p.prepare(options.compute ?? [])
        }
        prepared.search = options.search.map(SearchMatcher.init)
        if let filter = options.filter {
            prepared.filter = try located(.filter) { p throws(Fault) in try p.evaluator(filter, isFilter: true) }
        }
        prepared.order = try located(.orderby) { p throws(Fault) in try p.prepare(options.orderBy ?? []) }
        prepared.skip = options.skip ?? 0
        prepared.top = options.top
        prepared.counts = options.count ?? options.inlineCount ?? false
        let items = try expansions(options.expand ?? [])
        for item in items {
            let others = prepared.expansions
            let added = try located(.expand) { p throws(Fault) in try p.prepare(item, of: items, after: others) }
            for expansion in added {
                prepared.append(expansion)
            }
        }
        if let select = options.select {
            prepared.selection = try located(.select) { p throws(Fault) in try p.prepare(select) }
        }
        return prepared
    }

    private mutating func located<Result>(
        _ option: SystemOption, _ work: (inout OptionPreparation) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        do throws(Fault) {
            return try work(&self)
        } catch {
            // Offsets of nested options count in the text of the outermost one already.
            throw depth > 0 ? error : locate(option, error)
        }
    }

    /// Refuses what only a service can answer.
    private func refuseTokens(_ options: QueryOptions) throws(Fault) {
        let given: [(option: SystemOption, isGiven: Bool)] = [
            (.skiptoken, options.skipToken != nil), (.deltatoken, options.deltaToken != nil),
            (.id, options.id != nil), (.index, options.index != nil),
        ]
        for (option, isGiven) in given where isGiven {
            throw locate(
                option, Fault(.unsupported, "$\(option.rawValue) cannot be applied to entries; leave it out", offset: 0)
            )
        }
    }

    func evaluator(_ expression: ODataExpression, isFilter: Bool) throws(Fault) -> ODataEvaluator {
        try refuseRoot(in: expression)
        return try ODataEvaluator(
            expression, model: model, entityType: entityType, outermost: outermost, aliases: aliases,
            computedNames: computedNames, now: now, limits: limits, isFilter: isFilter)
    }

    private func refuseRoot(in expression: ODataExpression) throws(Fault) {
        for index in expression.nodes.indices
        where expression.nodes[index].kind == .path || expression.nodes[index].kind == .name {
            guard expression.bytes(of: index).elementsEqual("$root".utf8) else { continue }
            throw Fault(
                .unsupported, "$root needs the entity sets of the service; it cannot be applied to entries",
                offset: expression.nodes[index].range.lowerBound)
        }
    }

    /// Paths become nested objects, which are made and released recursively.
    private func checkDepth(of path: String, at offset: Int) throws(Fault) {
        let length = path.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) }
        guard length <= limits.depth else {
            throw Fault(
                .limitExceeded, "the path has more than \(limits.depth) segments; raise Limits.depth", offset: offset)
        }
    }

    private func prepare(_ items: [OrderByItem]) throws(Fault) -> [PreparedOptions.OrderItem] {
        var order: [PreparedOptions.OrderItem] = []
        for item in items {
            order.append(
                .init(evaluator: try evaluator(item.expression, isFilter: false), isDescending: item.isDescending))
        }
        return order
    }

    private mutating func prepare(_ items: [ComputeItem]) throws(Fault) -> [PreparedOptions.Computation] {
        var computations: [PreparedOptions.Computation] = []
        for item in items {
            computations.append(
                .init(name: item.name, evaluator: try evaluator(item.expression, isFilter: false)))
            computedNames.insert(ByteKey(item.name))
        }
        return computations
    }
}

extension OptionPreparation {
    private mutating func prepare(_ step: Transformation) throws(Fault) -> PreparedTransformation {
        switch step {
        case .filter(let predicate): return .filter(try evaluator(predicate, isFilter: true))
        case .search, .orderBy, .skip, .top: return .choose(try choice(of: step))
        case .compute(let items): return .compute(try prepare(items))
        case .aggregate(let items):
            var aggregates: [PreparedTransformation.Aggregate] = []
            for item in items {
                aggregates.append(.init(name: item.name, source: try source(of: item), method: item.method))
            }
            forgetType()
            return .aggregate(aggregates)
        case .groupBy(let properties, let inner):
            for property in properties {
                try checkDepth(of: property.path, at: property.offset)
            }
            // A path that is given twice groups no further, and its value is in the result once.
            var known: [[ByteKey]: PropertyPath] = [:]
            var paths: [PropertyPath] = []
            for property in properties {
                var path = PropertyPath(property.path, model: model, entityType: entityType)
                path.offset = property.offset
                let names = path.names.map { ByteKey($0) }
                guard let same = known[names] else {
                    known[names] = path
                    paths.append(path)
                    continue
                }
                guard same.hasCasts(of: path) else {
                    throw Fault(
                        .unsupported, "two properties of one name, of different types, cannot be in one groupby",
                        offset: property.offset)
                }
            }
            let (type, computed) = (entityType, computedNames)
            var steps: [PreparedTransformation] = []
            for step in inner {
                steps.append(try prepare(step))
            }
            forgetType()
            keepType(type, computed, with: inner.flatMap(\.newNames))
            return .groupBy(paths, steps)
        }
    }

    private func choice(of step: Transformation) throws(Fault) -> PreparedOptions {
        var options = PreparedOptions()
        options.keepsTies = true
        switch step {
        case .search(let expression): options.search = SearchMatcher(expression)
        case .orderBy(let items): options.order = try prepare(items)
        case .skip(let count): options.skip = count
        case .top(let count): options.top = count
        case .filter, .compute, .aggregate, .groupBy: break
        }
        return options
    }

    /// After a step that reduces, the entities have other properties.
    private mutating func forgetType() {
        entityType = nil
        computedNames = []
    }

    /// After groups are made, their properties have the types that they had, unless a step gives a declared name to
    /// something else.
    private mutating func keepType(_ type: String?, _ known: Set<ByteKey>, with names: [String]) {
        guard let type, let model, !names.contains(where: { model.property($0, of: type) != nil }) else { return }
        entityType = type
        computedNames = known.union(names.map { ByteKey($0) })
    }

    private func source(of item: Transformation.Aggregate) throws(Fault) -> PreparedTransformation.Aggregate.Source {
        guard let expression = item.expression else {
            return .entities
        }
        let root = expression.nodes[expression.root]
        let isPlain =
            root.kind == .path
            && expression.children(of: expression.root).allSatisfy { expression.nodes[$0].kind == .name }
        guard isPlain, expression.bytes(of: expression.root).first != UInt8(ascii: "$") else {
            return .expression(try evaluator(expression, isFilter: false))
        }
        var path = PropertyPath(expression.text(of: expression.root), model: model, entityType: entityType)
        path.offset = root.range.lowerBound
        return .path(path)
    }
}

extension OptionPreparation {
    /// The items of `$expand`, each with the path of one property. From version 4.0 on a path leads through complex
    /// properties and is kept.
    private mutating func expansions(_ items: [ExpandItem]) throws(Fault) -> [ExpandItem] {
        guard !version.isV4, items.contains(where: { $0.path.utf8.contains(UInt8(ascii: "/")) }) else {
            return items
        }
        for item in items {
            try located(.expand) { p throws(Fault) in try p.checkDepth(of: item.path, at: item.offset) }
        }
        return ExpandPaths.nested(items)
    }

    /// Prepares an item of `$expand`.
    ///
    /// - Parameters:
    ///   - items: All items, with this one.
    ///   - others: What the items before this one expand.
    private func prepare(
        _ item: ExpandItem, of items: [ExpandItem], after others: [PreparedOptions.Expansion]
    ) throws(Fault) -> [PreparedOptions.Expansion] {
        func unsupported(_ what: String) -> Fault {
            Fault(.unsupported, "\(what) cannot be applied to entries; leave it out", offset: item.offset)
        }
        guard depth < Self.maximumDepth else {
            throw Fault(
                .limitExceeded, "$expand is nested deeper than \(Self.maximumDepth) levels", offset: item.offset)
        }
        try checkDepth(of: item.path, at: item.offset)
        if item.levels != nil, !hasRelation(item.path) {
            throw unsupported("$levels")
        }
        if item.path == "$value" {
            throw unsupported("$value")
        }
        let levels = try levels(of: item)
        let paths = item.path == "*" ? properties(besides: items) : [item.path]
        return try paths.map { (path) throws(Fault) in
            let expansion = try self.expansion(item, path: path, levels: levels)
            try Self.requireApart(expansion, of: item, from: others)
            return expansion
        }
    }

    /// Throws `unsupported` for an expansion that another item shows too.
    private static func requireApart(
        _ expansion: PreparedOptions.Expansion, of item: ExpandItem, from others: [PreparedOptions.Expansion]
    ) throws(Fault) {
        guard !others.contains(where: { $0.collides(with: expansion) }) else {
            throw Fault(
                .unsupported, "another item of $expand shows the same property; use one item for it, or another query",
                offset: item.offset, context: [.path(item.path)])
        }
    }

    /// The navigation properties that `*` means, or the relations if the type of the entities is not known. An
    /// item of their own has precedence.
    private func properties(besides items: [ExpandItem]) -> [String] {
        let named = items.filter { !$0.isCount }.map {
            PropertyPath($0.path, model: model, entityType: entityType)
        }
        // Nothing says which of them related entities have.
        var names = depth == 0 ? relations.outermost : []
        if let model, let entityType {
            names = model.navigation(of: entityType).map(\.name)
        }
        return names.filter { name in
            let path = PropertyPath(name, model: model, entityType: entityType)
            return !named.contains { $0.leadsToProperty(of: path) }
        }
    }

    private func hasRelation(_ name: String) -> Bool {
        relations.contains(name, ofType: entityType, in: model, isOutermost: depth == 0)
    }

    /// The number of levels that an item is expanded, at most as many as are allowed here.
    private func levels(of item: ExpandItem) throws(Fault) -> Int {
        switch item.levels {
        case nil: return 1
        case .max: return Self.maximumDepth - depth
        case .levels(let number):
            guard number <= Self.maximumDepth - depth else {
                throw Fault(
                    .limitExceeded, "$expand is nested deeper than \(Self.maximumDepth) levels", offset: item.offset)
            }
            return max(1, Int(number))
        }
    }

    private func expansion(
        _ item: ExpandItem, path: String, levels: Int
    ) throws(Fault) -> PreparedOptions.Expansion {
        var owner = entityType
        var declared: EdmTypeReference?
        for segment in path.segments {
            if segment.utf8.contains(UInt8(ascii: ".")) {
                owner = segment
                continue
            }
            declared = owner.flatMap { owner in
                model?.navigation(segment, of: owner)?.type ?? model?.property(segment, of: owner)?.type
            }
            owner = declared?.name
        }
        var inner = nested(in: owner)
        var options = try inner.prepare(item.options)
        if levels > 1, !options.expansions.contains(where: { $0.name?.hasBytes(of: path) == true }) {
            options.append(try inner.expansion(item, path: path, levels: levels - 1))
        }
        return PreparedOptions.Expansion(
            path: PropertyPath(path, model: model, entityType: entityType), isReference: item.isReference,
            isCount: item.isCount, isCollection: declared?.isCollection, offset: item.offset,
            keys: owner.map { model?.key(of: $0).map(\.path) ?? [] } ?? [], options: options)
    }

    /// What prepares the options nested in an item, given the type at which their paths start.
    private func nested(in type: String?) -> OptionPreparation {
        var inner = self
        inner.outermost = outermost ?? .outermost(entityType, computedNames)
        inner.entityType = type
        inner.computedNames = []
        inner.depth += 1
        return inner
    }

    private func prepare(_ items: [SelectItem]) throws(Fault) -> Selection {
        var selection = Selection()
        for item in items {
            try checkDepth(of: item.path, at: item.offset)
        }
        for item in try SelectItem.merged(items) {
            let segments = item.path.segments
            let last = segments.last ?? ""
            let endsInType = segments.count > 1 && Selection.isQualified(last)
            // Most paths need no declared type.
            var declared: String?
            if endsInType || item.options != nil {
                declared = PropertyPath(item.path, model: model, entityType: entityType).type.structuredName
            }
            var nested: PreparedOptions?
            if let options = item.options {
                var inner = self.nested(in: endsInType ? model?.resolve(last) ?? last : declared)
                nested = try inner.prepare(options)
            }
            selection.add(segments[...], options: nested, declared: declared)
        }
        return selection
    }
}
