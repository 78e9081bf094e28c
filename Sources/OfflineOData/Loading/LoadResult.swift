public import Soups

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

/// What a load does with rows that were changed locally.
public enum ChangedRowMode: String, Sendable, Hashable, CaseIterable {
    /// The row keeps its changes. What arrives is compared with the version that they started from.
    case leave = "LEAVE_IF_CHANGED"
    /// What arrives replaces the row, and its changes are lost.
    case overwrite = "OVERWRITE"
}

/// How a run ended.
public enum RunStatus: String, Sendable, Hashable, CaseIterable {
    /// It runs, or its process ended before it did.
    case running = "RUNNING"
    /// Everything is there.
    case done = "DONE"
    /// It was cancelled between two requests.
    case stopped = "STOPPED"
    /// It failed; what was saved stays.
    case failed = "FAILED"
}

/// What one call of a load did.
public struct LoadSummary: Sendable, Hashable {
    /// Pages saved.
    public var pages = 0
    /// Entities read in them, without expanded ones.
    public var entities = 0
    /// Rows written.
    public var changed = 0
    /// Rows removed.
    public var deleted = 0
    /// Links applied.
    public var linked = 0
    /// Rows left because they were changed locally, links not applied, and members not taken over. A link whose entity
    /// is not there yet is one of those that were not applied, unless it comes in the same call.
    public var skipped = 0

    /// Nothing.
    public init() {}

    mutating func add(_ other: LoadSummary) {
        pages += other.pages
        entities += other.entities
        changed += other.changed
        deleted += other.deleted
        linked += other.linked
        skipped += other.skipped
    }
}

/// How a load ended.
public struct LoadResult: Sendable {
    /// Done, stopped or failed.
    public let status: RunStatus
    /// Why it failed.
    public let fault: Fault?
    /// What it did.
    public let summary: LoadSummary
    /// Whether the service gave a link to later changes.
    public let hasDeltaLink: Bool
}
