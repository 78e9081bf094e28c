/// Counts what one call of `ODataClient.load` or `resume` did with the rows of its set and of expanded sets.
///
/// `SyncSummary` of `OfflineSync` counts the records of a run of a sync instead, down and up, and its requests and
/// bytes. What a push of entity sets did is in its `PushResult`.
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

    /// Creates a summary of nothing.
    public init() {}

    mutating func add(_ other: LoadSummary) {
        pages += other.pages
        entities += other.entities
        changed += other.changed
        deleted += other.deleted
        linked += other.linked
        skipped += other.skipped
    }

    /// Takes back what was read. Rows that were written and removed stay so.
    mutating func subtractRead(_ other: LoadSummary) {
        entities -= other.entities
        linked -= other.linked
        skipped -= other.skipped
    }
}
