/// What may still be checked of the values of aliases in one URL, counted in nodes of expressions. Many options may use one
/// long alias; when the budget is spent, aliases have unknown types.
///
/// A class, so that the checkers of all options share it. It belongs to one thread.
final class AliasBudget {
    private var nodes = 50_000

    /// Takes a number of nodes; false if there are not as many.
    func spend(_ count: Int) -> Bool {
        guard count <= nodes else { return false }
        nodes -= count
        return true
    }
}
