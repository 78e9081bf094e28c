import Soups

/// What a transaction of a sync up has done.
struct UpEffects: Sendable {
    /// The rows whose turn is over.
    var settled = 0
    var summary = SyncSummary()
    var events: [SyncEvent] = []

    mutating func add(_ other: UpEffects) {
        settled += other.settled
        summary.add(other.summary)
        events += other.events
    }
}

extension SyncSummary {
    /// Adds what another part of a sync up has done to its rows.
    mutating func add(_ other: SyncSummary) {
        pushed += other.pushed
        created += other.created
        recreated += other.recreated
        refused += other.refused
        left += other.left
        applied += other.applied
        held += other.held
        removed += other.removed
    }
}
