import SmartSQL
public import Soups

/// Offers what can be asked of one state of a store, inside `SmartStore.read(_:)`.
///
/// ```swift
/// let names = try store.read { reader in
///     var names = 0
///     try reader.forEach(.all(), in: "contacts") { entry in
///         names += entry.withBytes { $0.count }
///         return .next
///     }
///     return names
/// }
/// ```
///
/// It is lent to the work and cannot leave it; functions that help with the work take it as `borrowing StoreReader`.
/// What other calls of the store read or write in the meantime is not part of the state.
public struct StoreReader: ~Copyable {
    /// Says whether `forEach` goes on.
    public enum Step: Sendable, Hashable {
        /// Shows the next entry.
        case next
        /// Ends.
        case stop
    }

    let session: StoreSession
    /// Notes what is read, for a value that is read again.
    let recorder: TouchRecorder?

    init(_ session: StoreSession, _ recorder: TouchRecorder? = nil) {
        self.session = session
        self.recorder = recorder
    }

    /// The number of the state that is read, for `StoreTransaction.requireUnchanged(since:soups:)`.
    ///
    /// It is taken before the state is fixed, so that it errs towards a change. Inside a transaction it is that of the
    /// state in which the transaction began: what the transaction writes counts as a change.
    ///
    /// The first time it is asked for after the store was opened, numbering begins, and the work of `read` runs once
    /// more. From then on it costs a lock for each read.
    public var commit: CommitNumber {
        if session.level > 0 {
            return (try? session.commits.ask(session.connection)) ?? .unknown
        }
        if let known = session.attempt.commit {
            return known
        }
        session.attempt.lacksCommit = true
        return .unknown
    }

    /// Reads the entry of one id as JSON text; `nil` if the soup has no entry with this id.
    ///
    /// - Throws: `soupNotFound`; `corrupt` if the file of an external entry is missing or damaged.
    public func retrieve(id: Int64, from soup: String) throws(Fault) -> [UInt8]? {
        recorder?.touched.touch(CollectionOfOne(id), in: soup)
        return try session.observe(.retrieve) { () throws(Fault) in
            let entry = try retrieval(of: soup).read(id)
            return Reported(entry, rows: entry == nil ? 0 : 1)
        }
    }

    /// Reads the entries of these ids, in the given order: unknown ids are left out, and an id that is given twice
    /// gives its entry once.
    ///
    /// - Throws: as `retrieve` of one id.
    public func retrieve(ids: [Int64], from soup: String) throws(Fault) -> EntryList {
        recorder?.touched.touch(ids, in: soup)
        return try session.observe(.retrieve) { () throws(Fault) in
            let entries = try retrieval(of: soup).list(of: ids)
            return Reported(entries, rows: entries.count)
        }
    }

    /// Reads the entries that match a query of any kind but smart, in its order: at most `limit`, or all. The page size
    /// of the query is not looked at.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`, `invalidMatchExpression`; `invalidQuerySpec`, also for a query that
    ///   selects paths, which gives rows and not entries; `invalidPageSize` for a limit under 1.
    public func entries(_ spec: QuerySpec, in soup: String, limit: Int? = nil) throws(Fault) -> EntryList {
        let execution = try execution(spec, soup, limit)
        return try session.observe(.query) { () throws(Fault) in
            let page = try execution.run(
                execution.query.firstPage, limit: limit ?? .max, isFirst: true, session: session)
            return Reported(page.value.entries, page.report)
        }
    }

    /// Reads all rows of a Smart SQL text.
    ///
    /// - Throws: as `runSmartQuery`.
    public func rows(_ smartSql: String, arguments: [SQLValue] = []) throws(Fault) -> RowList {
        try prepare()
        return try session.observe(.query) { () throws(Fault) in
            let execution: SmartExecution
            do throws(Fault) {
                execution = try SmartExecution(.smart(smartSql), arguments: arguments, session: session)
            } catch {
                // Which soups it would have read is not known.
                recorder?.touched.touchEverything()
                throw error
            }
            for soup in execution.query.soupNames {
                recorder?.touched.touch(soup)
            }
            let page = try execution.page(at: 0, limit: .max, naming: true, session: session)
            return Reported(RowList(columns: page.value.columns, rows: page.value.rows), page.report)
        }
    }

    /// Counts the matches of a query of any kind but smart.
    ///
    /// - Throws: as `entries`, but a query that selects paths is counted too.
    public func count(_ spec: QuerySpec, in soup: String) throws(Fault) -> Int {
        recorder?.touched.touch(soup)
        try prepare()
        return try session.observe(.count) { () throws(Fault) in
            try QueryExecution(spec, soup: soup, session: session).count(session)
        }
    }

    /// Shows the entries that match a query of any kind but smart, one at a time, in its order. No page and no array is
    /// made: memory does not grow with the number of entries.
    ///
    /// Inside a transaction the body must not write to the soup that it walks through.
    ///
    /// - Throws: as `entries`, and what the body throws.
    public func forEach(
        _ spec: QuerySpec, in soup: String, _ body: (borrowing EntryView) throws -> Step
    ) throws {
        try execution(spec, soup, nil).forEach(session, body)
    }
}

extension StoreReader {
    /// Looks at the schema again inside a transaction, whose calls may have changed it. Elsewhere the state is fixed,
    /// and the schema with it.
    func prepare() throws(Fault) {
        if session.level > 0 {
            try session.refresh()
        }
    }

    private func retrieval(of soup: String) throws(Fault) -> EntryRetrieval {
        try prepare()
        if let last = session.schema.lastRetrieval, last.reads(soup), !last.isStale {
            return last
        }
        return try session.retrieval(of: soup)
    }

    private func execution(_ spec: QuerySpec, _ soup: String, _ limit: Int?) throws(Fault) -> QueryExecution {
        recorder?.touched.touch(soup)
        guard limit ?? 1 > 0 else {
            throw Fault(.invalidPageSize, "the limit must be at least 1")
        }
        guard spec.selectPaths == nil else {
            throw Fault(.invalidQuerySpec, "a query that selects paths gives rows and not entries: use a cursor")
        }
        try prepare()
        var execution = try QueryExecution(spec, soup: soup, session: session)
        try execution.plan(session)
        return execution
    }
}
