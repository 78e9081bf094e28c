/// Counts what one run of a sync did with records of the service, down or up. It is kept in memory only.
///
/// `LoadSummary` of `OfflineOData` counts the rows of a load of entity sets instead: there `skipped` also counts links
/// and members that were not taken over.
public struct SyncSummary: Sendable, Hashable {
    /// Down: the records that the service answered.
    public var fetched = 0
    /// Down: the records that were saved.
    public var saved = 0
    /// Down: the records that were not saved, because their rows have local changes.
    public var skipped = 0
    /// Up: the records that the service took in any way.
    public var pushed = 0
    /// Up: the records that were created.
    public var created = 0
    /// Up: the records that were created again, because they were gone.
    public var recreated = 0
    /// Up: the rows that got an error.
    public var refused = 0
    /// Up: the rows that were left because the service has a newer record.
    public var left = 0
    /// Up: the rows whose change the service had already.
    public var applied = 0
    /// Up: the rows that were not sent because a creation is in doubt.
    public var held = 0
    /// Up: the rows that were taken out of the soup.
    public var removed = 0
    /// The requests that were sent.
    public var requests = 0
    /// The bytes of all answers.
    public var bytes = 0

    /// Creates a summary of nothing.
    public init() {}
}
