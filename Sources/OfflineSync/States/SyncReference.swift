/// Says which sync of a store is meant.
public enum SyncReference: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// The sync with an id.
    case id(Int64)
    /// The sync with a name. Names are compared by their bytes.
    case name(String)

    /// Creates a reference from an id.
    public init(integerLiteral id: Int64) { self = .id(id) }
    /// Creates a reference from a name.
    public init(stringLiteral name: String) { self = .name(name) }
}
