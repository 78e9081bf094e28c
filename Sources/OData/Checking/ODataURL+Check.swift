public import Soups

extension ODataURL {
    /// Checks the options against the type of the entities that the resource path leads to. Does not check a path that
    /// the model cannot resolve.
    ///
    /// Throws `unknownProperty` for a name in the path that the model does not have, `typeMismatch` for a key, an
    /// argument, a type or a system segment that does not fit, otherwise what `QueryOptions.check(against:entityType:)`
    /// throws. With an entity type the path itself is not checked.
    public func check(against model: EdmModel, entityType: String? = nil) throws(Fault) {
        let aliases = AliasScope(options.aliases)
        if let entityType {
            try model.requireType(entityType)
            return try check(against: model, type: model.resolve(entityType), aliases)
        }
        var checker = ResourceChecker(model: model, version: version, aliases: aliases)
        guard let target = try checker.target(of: resource) else { return }
        if let name = target.structuredName {
            try check(against: model, type: name, aliases)
        } else if target.base != .unknown {
            try check(against: model, values: target.element, aliases)
        }
    }

    private func check(against model: EdmModel, type: String, _ aliases: AliasScope) throws(Fault) {
        try OptionChecker(
            model: model, type: type,
            locate: { [texts] option, fault in texts[option]?.located(fault) ?? fault }, aliases: aliases
        )
        .check(options)
    }

    /// Checks what may be asked about primitive values: `$filter` and `$orderby`, in which `$it` is the value.
    private func check(
        against model: EdmModel, values type: StaticType, _ aliases: AliasScope
    ) throws(Fault) {
        if let filter = options.filter {
            try check(.filter, filter, against: model, values: type, aliases) { checker throws(Fault) in
                try checker.checkFilter()
            }
        }
        for item in options.orderBy ?? [] {
            try check(.orderby, item.expression, against: model, values: type, aliases) { checker throws(Fault) in
                try checker.check(checker.expression.root)
            }
        }
    }

    private func check(
        _ option: SystemOption, _ expression: ODataExpression, against model: EdmModel, values type: StaticType,
        _ aliases: AliasScope, _ body: (inout TypeChecker) throws(Fault) -> Void
    ) throws(Fault) {
        var checker = TypeChecker(expression, model: model, startingAt: type)
        checker.aliases = aliases
        do throws(Fault) {
            try body(&checker)
        } catch {
            throw texts[option]?.located(error) ?? error
        }
    }
}
