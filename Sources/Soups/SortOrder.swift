/// The sort order of a query. Entries with equal values are sorted by id in the same order.
public enum SortOrder: String, Sendable, Hashable {
    /// Smallest first; entries without a value come first.
    case ascending
    /// Largest first; entries without a value come last.
    case descending

    /// The other order.
    public var reversed: SortOrder { self == .ascending ? .descending : .ascending }
}
