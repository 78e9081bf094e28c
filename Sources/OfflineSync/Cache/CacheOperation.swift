/// The operations of a cached remote.
public enum CacheOperation: String, Sendable, Hashable, CaseIterable {
    /// Create a record.
    case create
    /// Read a record.
    case read
    /// Update a record.
    case update
    /// Delete a record.
    case delete
}
