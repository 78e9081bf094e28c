/// Which requests of a batch are done together or not at all.
public enum ChangeSetMode: String, Sendable, Hashable, CaseIterable {
    /// Each request alone, so that one refusal does not take others along.
    case perRow
    /// An inserted entity with all inserted entities that depend on it.
    case perTree
}
