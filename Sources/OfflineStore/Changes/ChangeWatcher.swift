import Soups

/// A watcher of a hub: the changes that it has not taken yet, and the tasks that wait for them.
///
/// `@unchecked Sendable`: every access to what changes holds the lock of the hub.
final class ChangeWatcher: @unchecked Sendable {
    /// The changes that a watcher receives.
    enum Interest {
        /// Every soup.
        case everything
        /// The soups of these names.
        case soups([ByteKey])
    }

    /// What the watcher is for.
    enum Purpose {
        /// Collects changes until they are taken.
        case collecting
        /// Decides whether a value must be read again.
        case reading
    }

    /// The connections of the store that it belongs to.
    let owner: ObjectIdentifier
    let purpose: Purpose
    let otherProcesses: OtherProcesses
    @exclusivity(unchecked) var interest: Interest
    /// The changes that it has not taken; for a reading watcher, those since its read began.
    @exclusivity(unchecked) var pending = PendingChanges()
    /// What the last read touched; nil before the first read and while one is under way.
    @exclusivity(unchecked) var touched: TouchedSoups?
    /// Whether a value must be read again.
    @exclusivity(unchecked) var isDue = false
    /// Whether the store was closed.
    @exclusivity(unchecked) var isEnded = false
    /// Those who wait; there is more than one only if copies of an iterator are used at once.
    @exclusivity(unchecked) var tickets: [WatchTicket] = []

    init(owner: ObjectIdentifier, purpose: Purpose, interest: Interest, otherProcesses: OtherProcesses) {
        self.owner = owner
        self.purpose = purpose
        self.interest = interest
        self.otherProcesses = otherProcesses
    }

    var isReady: Bool { isEnded || isDue || (purpose == .collecting && !pending.isEmpty) }

    /// Records what a commit did to a soup.
    func record(_ soup: ByteKey, _ kinds: StoreChange.Kinds, _ ids: ChangedIDs, _ origin: StoreChange.Origin) {
        if let touched {
            isDue = isDue || touched.isConcerned(by: soup, kinds, ids)
        } else if purpose == .collecting || !isDue {
            pending.add(soup, kinds, ids, origin)
        }
    }

    /// Records that any of these soups may have changed in any way.
    func recordAnything(in registered: [ByteKey], _ origin: StoreChange.Origin) {
        guard purpose == .collecting else {
            // Also while a read is under way: `settle` keeps it.
            isDue = true
            return
        }
        let names: [ByteKey]
        switch interest {
        case .everything: names = registered
        case .soups(let soups): names = soups
        }
        for name in names {
            pending.add(name, .every, .all, origin)
        }
    }

    /// Gives those who wait, if there is something for them.
    func takeReadyTickets() -> [WatchTicket] {
        guard isReady, !tickets.isEmpty else { return [] }
        defer { tickets = [] }
        return tickets
    }
}

/// A task that waits for a watcher.
///
/// `@unchecked Sendable`: every access holds the lock of the hub.
final class WatchTicket: @unchecked Sendable {
    @exclusivity(unchecked) var continuation: CheckedContinuation<Void, Never>?
    @exclusivity(unchecked) var isCancelled = false
}
