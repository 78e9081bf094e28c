/// The decision about a creation whose answer was lost.
public enum Doubt: Sendable, Hashable {
    /// The service did create the record, under this id.
    case wasCreated(id: String)
    /// The service did not create it.
    case wasNotCreated
}
