/// Decides how far the stamp of a sync rises while a run is under way, so that no record is ever passed over.
struct TimeStamp: Sendable {
    /// The newest date that was stored with the sync before; -1 without one.
    private(set) var stored: Int64
    /// The newest date of the run so far; nil without one.
    private var newest: Int64?
    /// The last date of the run so far.
    private var last: Int64?
    /// Whether the records come in ascending order of modification, as far as was seen.
    private var isAscending: Bool
    /// What the stamp never passes.
    private(set) var cap = Int64.max

    init(stored: Int64, isOrdered: Bool) {
        self.stored = stored
        isAscending = isOrdered
    }

    /// The bound with which a run asks: greater than 0 for a run that asks for newer records only.
    ///
    /// After a run that was cut off it is one millisecond lower, because records that were not delivered may have the
    /// time of the stamp. After one that has left parts of trees it is before those.
    static func bound(of state: SyncState, overlap: Int64) -> Int64 {
        let bound: Int64 =
            switch state.status {
            case .new, .done: state.maxTimeStamp
            case .stopped, .failed, .running: max(state.maxTimeStamp, 0) - 1
            }
        let least = min(bound, state.leftBound ?? bound)
        return least > 0 ? max(least - max(overlap, 0), -1) : least
    }

    /// Limits the stamp by the time of the service when it read the data of its first answer: records that change
    /// during the run have this time or a later one.
    mutating func limit(serverTime: Int64) { cap = min(cap, serverTime - 1) }

    /// Notes the dates of a page, in their order.
    mutating func note(_ dates: some Sequence<Int64>) {
        for date in dates {
            // A record that changed during the run is listed where its former date belongs, before others that are
            // still to come: its date says nothing about them.
            if date < last ?? date || date > cap {
                isAscending = false
            }
            last = date
            newest = max(newest ?? date, date)
        }
    }

    /// Notes a page whose target says its newest date.
    mutating func note(newest date: Int64) { note(CollectionOfOne(date)) }

    /// Raises the stamp after a page as far as it is safe.
    mutating func rise(isLastPage: Bool) {
        guard isAscending || isLastPage, let newest else { return }
        stored = max(stored, min(newest, cap))
    }
}
