/// The sort order of a query. Entries with equal values are sorted by id in the same order.
public enum SortOrder: String, Sendable, Hashable {
    case ascending, descending

    public var reversed: SortOrder { self == .ascending ? .descending : .ascending }
}
