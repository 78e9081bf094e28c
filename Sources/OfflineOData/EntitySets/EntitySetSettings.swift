public import Soups

/// How one entity set is kept and exchanged, where it differs from the defaults.
public struct EntitySetSettings: Sendable {
    /// The name of the soup; nil for the name of the set.
    public var soup: String?
    /// The names of the key properties, for a set without a model.
    public var key: [String] = []
    /// Index specs besides the default ones. One of a path that has a default spec replaces it.
    public var indexSpecs: [IndexSpec] = []
    /// The properties that the service does not have: kept and queried, never sent, never touched by a load.
    public var localOnly: [String] = []
    /// The properties by which rows are paired with entities of the service before a push, for services whose keys are
    /// not to be kept; empty to go by keys.
    public var mergesBy: [String] = []
    /// What happens to a row that was changed here and on the service.
    public var conflict: ConflictRule = .keep
    /// What happens to an insert whose answer was lost.
    public var doubt: LostInsertRule = .hold
    /// Whether the client gives a UUID to a new entity without a key, if the key is one Guid or String.
    public var makesKeys = false
    /// Whether updates replace the whole entity (`PUT`).
    ///
    /// The service gives properties that are not sent their default values. A push reads the entity of a row that lacks
    /// some, because it was loaded with `$select` or in another entity, and completes the row before it is sent.
    public var replaces = false
    /// Whether updates and deletes are sent as `POST` with the method in `X-HTTP-Method`.
    public var tunnels = false
    /// Whether an update or delete without a known ETag is sent with `If-Match: *`.
    public var matchesAnyETag = false
    /// Whether expanded entities stay in their row as a member; nil to decide by the map.
    public var keepsExpansionsInline: Bool?
    /// Relations that the model lacks, or that replace those of the same name.
    public var relations: [SoupRelation] = []

    /// The defaults.
    public init() {}
}

/// What happens to a row that was changed both here and on the service.
public enum ConflictRule: String, Sendable, Hashable, CaseIterable {
    /// Both versions are kept until the app decides.
    case keep
    /// What was changed here is put into the version of the service.
    case mine
    /// The version of the service replaces the row.
    case theirs
    /// As `mine` where no property was changed on both sides to different values, else `keep`.
    case merge
}

/// What happens to an insert whose answer was lost.
public enum LostInsertRule: String, Sendable, Hashable, CaseIterable {
    /// The row is held until the app decides: the entity is created at most once.
    case hold
    /// The insert is sent again: a duplicate is possible.
    case resend
}
