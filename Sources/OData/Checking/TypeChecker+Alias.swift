import Soups

/// Parameter aliases: `$filter=Name eq @name&@name='x'` (OData URL Conventions 4.01, 5.3).
extension TypeChecker {
    /// The type of the value of an alias; unknown for one without a value. A fault in the value is reported where the
    /// alias is used.
    mutating func alias(_ node: Int) throws(Fault) -> StaticType {
        let name = ByteKey(expression.text(of: node))
        if let known = aliasTypes[name] {
            return known
        }
        // Longer chains, and an alias that refers to itself, are refused when the expression is evaluated.
        guard aliasDepth < ODataEvaluator.maximumAliasDepth, let value = aliases?.valueToCheck(of: name) else {
            return .unknown
        }
        var checker = TypeChecker(
            value, model: model, startingAt: entityType, outermost: outermost, computedNames: computedNames)
        checker.aliases = aliases
        checker.aliasDepth = aliasDepth + 1
        // Moved, not copied, so that the work stays linear in the number of aliases.
        swap(&aliasTypes, &checker.aliasTypes)
        // Inside its own value the alias is unknown.
        checker.aliasTypes[name] = .unknown
        do throws(Fault) {
            var type = try checker.check(value.root)
            // In a JSON array dates, Guids, enumerations and others are strings.
            if value.nodes[value.root].kind == .array, type.base == .primitive(.string) {
                type = StaticType(base: .unknown, isCollection: true)
            }
            swap(&aliasTypes, &checker.aliasTypes)
            aliasTypes[name] = type
            return type
        } catch {
            throw Fault(
                error.code, error.message, offset: expression.nodes[node].range.lowerBound, context: error.context)
        }
    }
}
