import Soups

/// The values of the aliases that an expression may use, and what may still be checked of them.
///
/// Many options may use one long alias, so all scopes of a URL share a budget, counted in nodes of expressions. When it
/// is spent, aliases have unknown types.
struct AliasScope {
    /// Shared by the checkers of all options, which belong to one thread.
    private final class Budget {
        var nodes = 50_000
    }

    private var values: [ByteKey: ODataExpression]
    private let budget = Budget()

    init(_ aliases: [QueryOptions.Alias]) { values = aliases.valuesByName }

    /// The scope of nested options, whose aliases hide those around them.
    func nested(_ aliases: [QueryOptions.Alias]) -> AliasScope {
        guard !aliases.isEmpty else { return self }
        var scope = self
        scope.values.merge(aliases.valuesByName) { _, inner in inner }
        return scope
    }

    /// The value of an alias; nil for an alias without a value.
    func value(of name: ByteKey) -> ODataExpression? { values[name] }

    /// The value of an alias whose nodes are going to be checked; nil for an alias without a value, and if the budget
    /// is spent.
    func valueToCheck(of name: ByteKey) -> ODataExpression? {
        guard let value = values[name], value.nodes.count <= budget.nodes else { return nil }
        budget.nodes -= value.nodes.count
        return value
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
