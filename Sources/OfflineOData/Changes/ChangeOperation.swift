/// What a change does to an entity of the service.
public enum ChangeOperation: String, Sendable, Hashable, CaseIterable {
    /// Creates it.
    case insert
    /// Changes properties of it.
    case update
    /// Deletes it.
    case delete
}
