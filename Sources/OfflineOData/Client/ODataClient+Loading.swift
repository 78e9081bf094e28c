import LocalChanges
import OData
import OfflineStore
import Soups

extension ODataClient {
    /// Loads a set into its soup: all entities that the query names, page by page, or the changes since the last load.
    ///
    /// Each page is saved in a transaction with the link to the next one, so a load that fails keeps its pages and is
    /// continued by `resume`. A full load removes at its end the clean rows that no page has listed. Rows with local
    /// changes are compared with what arrives, and keep their changes. A page with an entity that a push of this client
    /// saves while the page is under way is asked for again; the page may have an entity as it was before a push of
    /// another client, until the next load. If another client of the store, also in another process, begins or
    /// continues a load of the set meanwhile, this load fails with `syncRunning`, and that of the other client goes on.
    ///
    /// - Parameters:
    ///   - set: The name of the entity set.
    ///   - query: `$filter`, `$select` and `$expand`, as after the question mark of a URL. A link to changes is that
    ///     of the query of its load. The mode `delta` without a query reads the changes of the last load.
    ///   - mode: What is asked for.
    ///   - mergeMode: What happens to rows with local changes.
    /// - Returns: How the load ended. A failure of the service or the network is a result with its fault.
    /// - Throws: `invalidArguments` for a set that is not mapped or another option of a query; faults of the query's
    ///   parser; `noDeltaLink`; `metadataChanged`; `syncRunning` if the set is being loaded.
    @discardableResult
    public func load(
        _ set: String, query: String = "", mode: LoadMode = .auto, mergeMode: ChangedRowMode = .leave
    ) async throws -> LoadResult {
        let set = try map.set(set)
        let canonical = try LoadQuery(query, of: set, version: map.version).sent ?? ""
        try beginLoad(set)
        defer { endLoad(set) }
        let state = try await store.writingToTheEnd { [self] in
            try begin(set, query: canonical, mode: mode, mergeMode: mergeMode)
        }
        return try await LoadRun(self, set, state).run(isResumed: false)
    }

    /// Continues the last load of a set where it stopped. A link that the service does not know any more begins it
    /// again.
    ///
    /// - Throws: `invalidArguments` if no load of the set was cut; else as `load`.
    @discardableResult
    public func resume(_ set: String) async throws -> LoadResult {
        let set = try map.set(set)
        try beginLoad(set)
        defer { endLoad(set) }
        let state = try await store.writingToTheEnd { [self] in
            guard var state = try LoadStates(store).state(of: set.name), state.isUnfinished else {
                throw Fault(.invalidArguments, "no load of the entity set \(set.name) waits to be continued; load it")
            }
            guard try filled.lost(since: state, of: set, expansions(of: state.query, set)) == nil else {
                // The pages that were saved went with their soup.
                return try begin(set, query: state.query, mode: state.mode, mergeMode: state.mergeMode)
            }
            if state.mode != .reload {
                try registry.requireKeys(of: set)
            } else if try !registry.givesPresentKeys(set) {
                // The pages that were saved have keys of another form.
                return try begin(set, query: state.query, mode: state.mode, mergeMode: state.mergeMode)
            }
            state.status = .running
            try LoadStates(store).save(&state)
            return state
        }
        return try await LoadRun(self, set, state).run(isResumed: true)
    }

    /// Notes that a load begins, before its first request.
    private func begin(
        _ set: MappedEntitySet, query: String, mode: LoadMode, mergeMode: ChangedRowMode
    ) throws(Fault) -> LoadState {
        if mode == .reload {
            if var renewal = try KeyRenewal(self, set) {
                try registry.beginReload(of: set)
                _ = try renewal.run(isFirst: true)
                try PendingLinks(store).removeAll(ofDependents: set)
                try LeftMembers.forgetAll(of: set, store, map)
            }
        } else {
            try registry.requireKeys(of: set)
        }
        var state = try LoadStates(store).state(of: set.name) ?? LoadState(set: set.name)
        if try filled.lost(since: state, of: set, expansions(of: state.deltaQuery ?? "", set)) != nil {
            // Changes since the last load would not bring them back.
            state.deltaLink = nil
            state.deltaQuery = nil
        }
        // Changes that are asked for without a query are those of the last load.
        let query = mode == .delta && query.isEmpty ? state.query : query
        state.isDelta = mode == .delta || mode == .auto && state.canReadChanges(of: query)
        guard !state.isDelta || state.canReadChanges(of: query) else {
            throw Fault(
                .noDeltaLink,
                "there is no link to the changes of \(set.name) for this query; load the set in full")
        }
        state.query = query
        if !state.isDelta || state.soupIds == nil {
            state.soupIds = try filled.numbers()
        }
        if !state.isDelta {
            state.generation += 1
            try SeenKeys(store).removeKeys(of: set.name)
        }
        state.mode = mode
        state.mergeMode = mergeMode
        state.status = .running
        state.nextLink = nil
        state.isRemoving = false
        state.pages = 0
        state.entities = 0
        state.startedAt = options.clock.now()
        state.error = nil
        state.errorCode = nil
        try LoadStates(store).save(&state)
        return state
    }

    var filled: FilledSoups { FilledSoups(store: store, map: map) }

    /// What a query expands; nil if it cannot be read any more, as after a change of the metadata.
    private func expansions(of query: String, _ set: MappedEntitySet) -> LoadExpansions? {
        try? LoadQuery(query, of: set, version: map.version, isStored: true).expansions
    }

    /// What a load asks the service for in the header `Prefer`.
    var loadPreferences: [String] {
        guard map.version.isV4 else {
            return []
        }
        let prefix = map.version == .v4 ? "odata." : ""
        return [prefix + "track-changes"] + (options.pageSize.map { ["\(prefix)maxpagesize=\($0)"] } ?? [])
    }
}
