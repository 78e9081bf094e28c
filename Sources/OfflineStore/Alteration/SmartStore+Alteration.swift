import SQLiteAccess
public import Soups

extension SmartStore {
    /// Replaces the index specs of a soup and, if a spec of the soup is given, its features, keeping entries, ids and
    /// dates. Returns the name.
    ///
    /// ```swift
    /// try store.alterSoup("contacts", indexSpecs: [.string("name"), .integer("age")]) { progress in
    ///     steps.append(progress.step)
    /// }
    /// ```
    ///
    /// Paths that stay keep their values if the type of their column stays, or if they were json1. If `reIndexData` is
    /// true, paths that are new or have another type are filled from the entries; else their columns are NULL until
    /// `reIndexSoup` names them. A later alteration does not fill them: their paths are not new to it. Specs that are
    /// equal to the old ones rebuild the soup; for example an FTS4 table becomes an FTS5 table. Other calls wait. The
    /// work is done in steps, and each step is on the disk as a whole together with its status. An interrupted
    /// alteration goes on when the store is next opened for writing.
    ///
    /// A soup with full-text paths keeps the ordinary indexes over them, or goes on without; one that gets its first
    /// full-text path follows ``StoreOptions/fullTextIndexes``. `fullTextIndexes` says otherwise.
    ///
    /// New paths follow the rules of `registerSoup`. A path with `{`, `}` or `:` that the soup has from an older
    /// version may stay.
    ///
    /// Time and space are linear in the size of the soup, because its table is rewritten.
    ///
    /// - Throws: `soupNotFound`, `noIndexSpecs`, `invalidIndexSpec`, `json1WithExternalStorage`, `corrupt` (the tables
    ///   are not those of the index specs) before anything is changed; `invalidEntry` (an entry has U+0000 in a value
    ///   that would be indexed), `diskFull`, `inputOutput`, after which the soup is restored. If even that fails, the
    ///   soup answers `busy` until `resumeAlterations` or the next opening has done the work.
    @discardableResult
    public func alterSoup(
        _ name: String, soupSpec: SoupSpec? = nil, indexSpecs: [IndexSpec], reIndexData: Bool = true,
        fullTextIndexes: Bool? = nil, progress: ((AlterationProgress) -> Void)? = nil
    ) throws(Fault) -> String {
        try alterSoup(
            name, soupSpec: soupSpec, indexSpecs: indexSpecs, reIndexData: reIndexData,
            fullTextIndexes: fullTextIndexes, until: nil, progress: progress)
    }

    /// `until` stops after a step, as an interruption would.
    @discardableResult
    func alterSoup(
        _ name: String, soupSpec: SoupSpec? = nil, indexSpecs: [IndexSpec], reIndexData: Bool,
        fullTextIndexes: Bool? = nil, until last: AlterationStep?,
        progress: ((AlterationProgress) -> Void)? = nil
    ) throws(Fault) -> String {
        try alone(.alterSoup) { (session, now) throws(Fault) in
            let (id, details) = try session.transaction(waiting: true) { () throws(Fault) in
                let soup = try session.soup(name)
                let features = soupSpec?.features ?? soup.spec.features
                try SoupRules.check(SoupSpec(name: name, features: features), with: indexSpecs, known: soup.indexSpecs)
                let details = AlterationDetails(
                    soupName: name, table: SoupTableName(soup.id), oldIndexSpecs: soup.indexSpecs,
                    newIndexSpecs: indexSpecs.map { IndexSpec(path: $0.path, type: $0.type) },
                    oldFeatures: soup.spec.features, newFeatures: features, reIndexData: reIndexData,
                    hadFullTextIndexes: soup.hasFullTextIndexes,
                    hasFullTextIndexes: fullTextIndexes
                        ?? (soup.fullTextSpecs.isEmpty ? session.options.fullTextIndexes : soup.hasFullTextIndexes))
                try LongOperation.removeStale(ofSoup: name, in: session.connection)
                let id = try LongOperation.begin(details, at: now, in: session.connection)
                // Its first step would find that too, when the row could not be taken back.
                guard try LongOperation.all(session.connection).contains(where: { $0.id == id }) else {
                    throw Fault(
                        .corrupt, "the tables of the soup are not those of its index specs: check the store",
                        context: [.soup(name)])
                }
                return (id, details)
            }
            defer { session.forget() }
            guard last != .starting else {
                return Reported(name)
            }
            let alteration = Alteration(session: session, id: id, progress: progress)
            do throws(Fault) {
                if try !alteration.run(at: now, until: last) {
                    try alteration.requireDone(details)
                }
            } catch {
                // A full disk may still have room for undoing. What a cancelled call has finished is kept.
                let isCancelled = session.connection.isCallCancelled
                try? session.connection.uncancellable { () throws(Fault) in
                    try alteration.undo(keepingSteps: isCancelled)
                }
                throw error
            }
            return Reported(name)
        }
    }

    /// Computes the columns of these paths again from the entries, in one transaction. Paths without a spec are
    /// ignored, and entries whose text is damaged keep what they have. Returns the name. O(n) in the size of the soup.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if an entry has U+0000 in a value that would be indexed; faults of the
    ///   store. Nothing is changed then.
    @discardableResult
    public func reIndexSoup(
        _ name: String, paths: [String], progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(Fault) -> String {
        try writing(.reIndexSoup) { (session, _) throws(Fault) in
            let soup = try session.soup(name)
            let wanted = Set(paths.map(ByteKey.init))
            let specs = soup.indexSpecs.filter { wanted.contains(ByteKey($0.path)) }
            let done = try ReIndexing(session: session, soup: soup, specs: specs).run { progress?($0, $1) }
            if done > 0 {
                session.changes.note(.altered, table: soup.id, soup: name)
            }
            return Reported(name, rows: done)
        }
    }

    /// Finishes interrupted alterations. Opening for writing does so too; if that failed, this call throws the reason.
    ///
    /// An alteration that can never be finished, because a value cannot be indexed or an entry cannot be read or
    /// written, is undone: its soup is as it was before. After an opening that undid one, this call has nothing to do.
    ///
    /// - Throws: the reason why an alteration was not finished, once all were tried: `invalidEntry`, `corrupt`,
    ///   `limitExceeded` or `sqlError` if it was undone; any other fault if a later call may finish it.
    public func resumeAlterations(progress: ((AlterationProgress) -> Void)? = nil) throws(Fault) {
        try alone(.alterSoup) { (session, _) throws(Fault) in
            Reported(try session.resumeAlterations(progress: progress))
        }
    }

    /// Runs work of several transactions between which no other thread of this store may read or write.
    private func alone<R>(
        _ operation: StoreEvent.Operation,
        _ body: (_ session: StoreSession, _ now: Int64) throws(Fault) -> Reported<R>
    ) throws(Fault) -> R {
        try connections.write { (session, _) throws(Fault) in
            guard session.options.access != .readOnly else {
                throw Fault(.readOnly, "the store was opened for reading only")
            }
            guard connections.gate.becomeAlone() else {
                throw Fault(
                    .busy,
                    "a soup cannot be altered inside a reading call, or in a transaction for which one waits to write"
                )
            }
            let now = session.options.clock.now()
            return try session.observe(operation) { () throws(Fault) in try body(session, now) }
        }
    }
}

extension StoreSession {
    /// Runs the remaining steps of every operation that can be read, and undoes those that can never be finished.
    ///
    /// - Throws: the first reason why one was not finished, once all were tried.
    func resumeAlterations(progress: ((AlterationProgress) -> Void)?) throws(Fault) {
        let operations = try LongOperation.all(connection)
        defer { if !operations.isEmpty { forget() } }
        var reason: Fault?
        for operation in operations {
            let alteration = Alteration(session: self, id: operation.id, progress: progress)
            do throws(Fault) {
                try alteration.run(at: options.clock.now())
            } catch {
                reason = reason ?? error
                if Self.failsAgain(error) {
                    try? alteration.undo()
                }
            }
        }
        if let reason {
            throw reason
        }
    }

    /// Whether an alteration that ended so would end so each time. Space, locks and devices may be better next time.
    /// SQLite refuses the index of a json1 path with `sqlError` if the text of an entry is not JSON.
    private static func failsAgain(_ fault: Fault) -> Bool {
        [.invalidEntry, .corrupt, .limitExceeded, .sqlError].contains(fault.code)
    }
}
