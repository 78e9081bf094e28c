public import JSONText
import LocalChanges
import OfflineStore
import Soups
import Synchronization

// MARK: - Syncs and their states
extension SyncManager {
    /// Stores a new sync without running it, and returns it.
    ///
    /// The soup need not exist yet.
    ///
    /// - Throws: `syncNameTaken`; `invalidSync`, which names the key; `unknownTarget`, `invalidSOQL`; `invalidSoupName`
    ///   for a name that no soup can have.
    @discardableResult
    public func createSync(
        _ type: SyncType, target: JSONObject, soup: String, options: SyncOptions = SyncOptions(), name: String? = nil
    ) async throws -> SyncState {
        try requireOpen()
        try SmartStore.check(soupName: soup)
        try options.checkFields(of: type)
        let registry = self.options.targets
        let rows = rows
        return try await store.writingToTheEnd {
            let target = try registry.normalized(target, type: type)
            try Self.requireFree(name, rows)
            return try rows.write(
                SyncState(
                    type: type, name: name, soupName: soup, target: target, options: options, status: .new))
        }
    }

    static func requireFree(_ name: String?, _ rows: SyncRows) throws(Fault) {
        guard let name else { return }
        guard !name.isEmpty else {
            throw DefinitionReader.wrong("name", "must not be empty")
        }
        guard !name.utf8.contains(0) else {
            throw DefinitionReader.wrong("name", "must not have U+0000")
        }
        guard try rows.row(.name(name)) == nil else {
            throw Fault(.syncNameTaken, "a sync with this name exists; names are unique in a store")
        }
    }

    /// Returns a sync, with the newest numbers if it runs; `nil` if the store has no such sync.
    ///
    /// - Throws: `invalidSync` for a malformed row.
    public func status(of sync: SyncReference) async throws -> SyncState? {
        try requireOpen()
        let rows = rows
        let row = try await store.readingToTheEnd { try rows.row(sync) }
        return try row.map { (row) throws(Fault) in newest(try SyncState(row: row)) }
    }

    /// Says whether there is a sync with this name.
    ///
    /// - Throws: `closed`; faults of the store.
    public func hasSync(named name: String) async throws -> Bool {
        try requireOpen()
        let rows = rows
        return try await store.readingToTheEnd { try rows.row(.name(name)) != nil }
    }

    /// Returns the syncs with a status, in the order of their ids. Malformed rows are passed over, each with an event.
    ///
    /// - Throws: `closed`; faults of the store.
    public func syncs(with status: SyncStatus) async throws -> [SyncState] {
        try requireOpen()
        let found = try await store.readingToTheEnd { [self] in try readSyncs(with: status) }
        for event in found.malformed {
            send(event)
        }
        return found.syncs
    }

    /// Reads the syncs with a status, in the order of their ids, and the events of malformed rows.
    func readSyncs(with status: SyncStatus) throws(Fault) -> (syncs: [SyncState], malformed: [SyncEvent]) {
        var syncs: [SyncState] = []
        var malformed: [SyncEvent] = []
        for row in try rows.all() {
            do throws(Fault) {
                let state = newest(try SyncState(row: row))
                if state.status == status {
                    syncs.append(state)
                }
            } catch {
                malformed.append(.malformedSync(sync: row.entryId ?? 0, key: error.firstPath))
            }
        }
        return (syncs, malformed)
    }

    /// A sync with its newest numbers: those of the run that is under way, or of one whose end could not be written.
    private func newest(_ stored: SyncState) -> SyncState {
        shared.withLock { shared in
            if let active = shared.active[stored.id] {
                return active.state ?? stored
            }
            guard stored.status == .running else { return stored }
            return shared.unwritten[stored.id] ?? stored
        }
    }

    /// Removes a sync. Its records stay. Removing a sync that does not exist is not an error.
    ///
    /// - Throws: `syncRunning`.
    public func deleteSync(_ sync: SyncReference) async throws {
        try requireOpen()
        let rows = rows
        try await store.writingToTheEnd { [self] in
            guard let id = try rows.row(sync)?.entryId else { return }
            // Within the transaction: a run that begins later does not find the row any more.
            guard shared.withLock({ $0.active[id] == nil }) else { throw Self.running }
            try rows.remove(id)
        }
    }

    /// Stores the syncs of a configuration that do not exist, each by itself. Nothing is run.
    ///
    /// - Throws: `closed`; faults of the store. What is wrong with a single definition is in the result.
    public func load(_ configuration: SyncConfiguration) async throws -> SyncConfigurationResult {
        var result = SyncConfigurationResult()
        for definition in configuration.definitions {
            // A sync that exists stays as it is, whatever else its definition says.
            if let name = definition.name, !name.isEmpty, try await hasSync(named: name) {
                result.present.append(name)
                continue
            }
            do {
                let parsed = try definition.parsed()
                try await createSync(
                    parsed.type, target: parsed.target, soup: parsed.soup, options: parsed.options, name: parsed.name)
                result.created.append(parsed.name)
            } catch let fault as Fault
                where [.invalidSync, .invalidSoupName, .unknownTarget, .invalidSOQL, .syncNameTaken, .limitExceeded]
                .contains(fault.code)
            {
                result.skipped.append(SyncConfigurationResult.Skipped(name: definition.name ?? "", fault: fault))
            }
        }
        return result
    }

    static let running = Fault(.syncRunning, "the sync runs or waits for its turn; wait until it has ended")
    static let notFound = SyncRows.notFound
}
