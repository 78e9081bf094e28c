/// Which entities a load asks the service for.
public enum LoadMode: String, Sendable, Hashable, CaseIterable {
    /// All entities; rows that the service no longer lists are removed at the end.
    case full
    /// The changes since the last load.
    case delta
    /// The changes where the service gave a link to them, otherwise all entities.
    case auto
    /// All entities, after the key of the set has changed in the metadata.
    case reload
}
