public import Soups

extension QueryOptions {
    /// Checks names and types in all options against the type of the requested entities.
    ///
    /// Throws `unknownProperty` or `typeMismatch`; offsets count in the text of each option. Steps after `aggregate` or
    /// `groupby` work on other properties and are not checked. With `$apply` the other options are not checked either.
    public func check(against model: EdmModel, entityType: String) throws(Fault) {
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
    var relations: Set<ByteKey> = []

    func check(_ options: QueryOptions) throws(Fault) {
        guard model.structuredType(type) != nil else { return }
        if let apply = options.apply {
            return try located(.apply) { () throws(Fault) in
                var names: Set<ByteKey> = []
                _ = try check(apply, &names)
            }
        }
        var names: Set<ByteKey> = []
        try located(.compute) { () throws(Fault) in
            for item in options.compute ?? [] {
                try check(item.expression, isFilter: false, names)
                names.insert(ByteKey(item.name))
            }
        }
        try located(.filter) { () throws(Fault) in
            if let filter = options.filter {
                try check(filter, isFilter: true, names)
            }
        }
        try located(.orderby) { () throws(Fault) in
            for item in options.orderBy ?? [] {
                try check(item.expression, isFilter: false, names)
            }
        }
        try located(.select) { () throws(Fault) in
            for item in options.select ?? [] {
                try check(path: item.path, at: item.offset, item.options, names)
            }
        }
        try located(.expand) { () throws(Fault) in
            for item in options.expand ?? [] {
                try check(path: item.path, at: item.offset, item.options, names)
            }
        }
    }

    private func located(_ option: SystemOption, _ work: () throws(Fault) -> Void) throws(Fault) {
        do throws(Fault) { try work() } catch { throw locate(option, error) }
    }

    private func check(_ expression: ODataExpression, isFilter: Bool, _ names: Set<ByteKey>) throws(Fault) {
        var checker = TypeChecker(expression, model: model, entityType: type, computedNames: names)
        if isFilter {
            try checker.checkFilter()
        } else {
            try checker.check(expression.root)
        }
    }

    /// Checks the steps that work on the entities themselves. Returns false after a step that produces other objects.
    private func check(_ steps: [Transformation], _ names: inout Set<ByteKey>) throws(Fault) -> Bool {
        for step in steps {
            switch step {
            case .filter(let predicate): try check(predicate, isFilter: true, names)
            case .compute(let items):
                for item in items {
                    try check(item.expression, isFilter: false, names)
                    names.insert(ByteKey(item.name))
                }
            case .aggregate(let items):
                for item in items {
                    try check(item, names)
                }
                return false
            case .groupBy(let properties, let inner):
                for property in properties {
                    try check(path: property.path, at: property.offset, nil, names, isSingle: true)
                }
                _ = try check(inner, &names)
                return false
            }
        }
        return true
    }

    /// A plain path may go through collections: all values that it reaches are aggregated. Any other expression must
    /// have one value for each entity.
    private func check(_ item: Transformation.Aggregate, _ names: Set<ByteKey>) throws(Fault) {
        guard let expression = item.expression else { return }
        let root = expression.nodes[expression.root]
        let path = root.kind == .count ? Int(root.first) : expression.root
        guard expression.nodes[path].kind == .path,
            expression.children(of: path).allSatisfy({ expression.nodes[$0].kind == .name })
        else {
            return try check(expression, isFilter: false, names)
        }
        try check(path: expression.text(of: path), at: expression.nodes[path].range.lowerBound, nil, names)
    }

    /// Follows a path of `$select` or `$expand` and checks the options nested at its end.
    ///
    /// - Parameter isSingle: Whether a collection in the path is a `typeMismatch`.
    private func check(
        path: String, at offset: Int, _ options: QueryOptions?, _ names: Set<ByteKey>, isSingle: Bool = false
    ) throws(Fault) {
        var current: String? = type
        for segment in path.split(separator: "/") {
            let segmentOffset = offset + path.utf8.distance(from: path.startIndex, to: segment.startIndex)
            if segment == "*" || segment.utf8.first == UInt8(ascii: "$") || segment.utf8.first == UInt8(ascii: "@") {
                return
            }
            guard let owner = current else { return }
            let name = String(segment)
            if name.utf8.contains(UInt8(ascii: ".")) {
                // A type, an operation or all operations of a schema. The path continues only after a type.
                current = model.structuredType(name).map { _ in model.resolve(name) }
                continue
            }
            if names.contains(ByteKey(name)) {
                return
            }
            let target = model.property(name, of: owner)?.type ?? model.navigation(name, of: owner)?.type
            if target == nil, relations.contains(ByteKey(name)) {
                return
            }
            guard target != nil || model.isOpen(owner) || model.structuredType(owner) == nil else {
                throw Fault(
                    .unknownProperty, "the type has no property of this name", offset: segmentOffset,
                    context: [.path(name)])
            }
            if isSingle, target?.isCollection == true {
                throw Fault(
                    .typeMismatch, "groupby needs a property with a single value, not a collection",
                    offset: segmentOffset,
                    context: [.path(name)])
            }
            current = target.map { model.resolve($0.name) }
        }
        if let options, let current {
            try OptionChecker(model: model, type: current, relations: relations).check(options)
        }
    }
}

extension ODataURL {
    /// Checks the options against the type of the entities that the resource path leads to. Does not check a path that
    /// the model cannot resolve.
    ///
    /// Throws `unknownProperty` for a name in the path that the model does not have, `typeMismatch` for a key, an argument
    /// or a system segment that does not fit, otherwise what `QueryOptions.check(against:entityType:)` throws. With an
    /// entity type the path itself is not checked.
    public func check(against model: EdmModel, entityType: String? = nil) throws(Fault) {
        let type: String?
        if let entityType {
            type = entityType
        } else {
            var checker = ResourceChecker(model: model, version: version)
            type = try checker.target(of: resource)
        }
        guard let type else { return }
        try OptionChecker(
            model: model, type: model.resolve(type),
            locate: { [texts] option, fault in texts[option]?.located(fault) ?? fault }
        )
        .check(options)
    }
}
