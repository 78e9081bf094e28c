public import Soups

extension ODataURL {
    /// Checks the options against the type of the entities that the resource path leads to. Does not check a path that
    /// the model cannot resolve.
    ///
    /// Throws `unknownProperty` for a name in the path that the model does not have, `typeMismatch` for a key, an argument,
    /// a type or a system segment that does not fit, otherwise what `QueryOptions.check(against:entityType:)` throws. With
    /// an entity type the path itself is not checked.
    public func check(against model: EdmModel, entityType: String? = nil) throws(Fault) {
        if let entityType {
            return try check(against: model, type: model.resolve(entityType))
        }
        var checker = ResourceChecker(model: model, version: version, aliases: options.aliases)
        guard let target = try checker.target(of: resource) else { return }
        if let name = target.structuredName {
            try check(against: model, type: name)
        } else if target.base != .unknown {
            try check(against: model, values: target.element)
        }
    }

    private func check(against model: EdmModel, type: String) throws(Fault) {
        try OptionChecker(
            model: model, type: type,
            locate: { [texts] option, fault in texts[option]?.located(fault) ?? fault }
        )
        .check(options)
    }

    /// Checks what may be asked about primitive values: `$filter` and `$orderby`, in which `$it` is the value.
    private func check(against model: EdmModel, values type: StaticType) throws(Fault) {
        let budget = AliasBudget()
        if let filter = options.filter {
            try check(.filter, filter, against: model, values: type, budget) { checker throws(Fault) in
                try checker.checkFilter()
            }
        }
        for item in options.orderBy ?? [] {
            try check(.orderby, item.expression, against: model, values: type, budget) { checker throws(Fault) in
                try checker.check(checker.expression.root)
            }
        }
    }

    private func check(
        _ option: SystemOption, _ expression: ODataExpression, against model: EdmModel, values type: StaticType,
        _ budget: AliasBudget, _ body: (inout TypeChecker) throws(Fault) -> Void
    ) throws(Fault) {
        var checker = TypeChecker(expression, model: model, startingAt: type)
        checker.aliases = options.aliases.valuesByName
        checker.aliasBudget = budget
        do throws(Fault) {
            try body(&checker)
        } catch {
            throw texts[option]?.located(error) ?? error
        }
    }
}

extension [QueryOptions.Alias] {
    /// The values of the aliases; the first one of a name counts.
    var valuesByName: [ByteKey: ODataExpression] {
        var values: [ByteKey: ODataExpression] = [:]
        for alias in self where values[ByteKey(alias.name)] == nil {
            values[ByteKey(alias.name)] = alias.value
        }
        return values
    }
}
