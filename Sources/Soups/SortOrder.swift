/// Says in which direction the order path of a query runs; ties follow by entry id in the same direction.
public enum SortOrder: String, Sendable, Hashable {
    case ascending, descending

    public var reversed: SortOrder { self == .ascending ? .descending : .ascending }
}
