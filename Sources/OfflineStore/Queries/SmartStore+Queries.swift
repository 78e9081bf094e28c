import SmartSQL
public import Soups

// MARK: - Queries on a soup
extension SmartStore {
    /// Runs a query of any kind but smart and shows its first page. The matches beyond the page are not counted until
    /// ``StoreCursor/totalEntries`` or ``StoreCursor/totalPages`` is asked for.
    ///
    /// A match query by a path other than the id counts its matches at once, in the full-text table.
    ///
    /// - Throws: `soupNotFound`, `invalidQuerySpec`, `invalidPageSize`, `pathNotIndexed`, `invalidMatchExpression`.
    public func query(_ spec: QuerySpec, soup: String) throws(Fault) -> StoreCursor {
        try retrying { (session) throws(Fault) in
            try session.observe(.query) { () throws(Fault) in
                if let first = session.knownFirstPage(spec, soup: soup) {
                    let source = SoupCursorSource(store: self, spec: spec, soup: soup)
                    return Reported(cursor(source, first.value, limit: spec.pageSize, matches: nil), first.report)
                }
                return try session.reading { () throws(Fault) in
                    var execution = try QueryExecution(spec, soup: soup, session: session)
                    let matches = execution.query.isPlannedByCount ? try execution.count(session).value : nil
                    try execution.plan(matches: matches, session)
                    let first = try execution.run(
                        execution.query.firstPage, limit: spec.pageSize, isFirst: true, session: session)
                    try session.keep(execution, for: spec)
                    let source = SoupCursorSource(
                        store: self, spec: spec, soup: soup, execution: session.level == 0 ? execution : nil)
                    return Reported(cursor(source, first.value, limit: spec.pageSize, matches: matches), first.report)
                }
            }
        }
    }

    private func cursor(
        _ source: SoupCursorSource, _ first: ResultPage, limit: Int, matches: Int?
    ) -> StoreCursor {
        StoreCursor(
            id: connections.nextCursorId(), pageSize: limit,
            totalEntries: matches ?? (first.hasMore ? nil : first.count), first: first, source: source)
    }

    /// Counts the matches of a query of any kind but smart.
    ///
    /// - Throws: as `query`.
    public func count(_ spec: QuerySpec, soup: String) throws(Fault) -> Int {
        try reading(.count) { (session) throws(Fault) in
            try QueryExecution(spec, soup: soup, session: session).count(session)
        }
    }

    /// Removes every match of a query, whatever its page size, with full text and files. Returns the number of removed
    /// entries.
    ///
    /// A smart query selects the entries by a column `id`, which holds `{soup:_soupEntryId}`.
    ///
    /// The ids are collected before anything is removed: 8 bytes of memory for each match.
    ///
    /// - Throws: as `query`, or as `runSmartQuery` for a smart query; `diskFull`, `busy`, `readOnly`. Then nothing
    ///   is removed.
    @discardableResult
    public func remove(matching spec: QuerySpec, from soup: String) throws(Fault) -> Int {
        try writing(.remove) { (session, _) throws(Fault) in
            let target = try session.soup(soup)
            let ids =
                spec.kind == .smart
                ? try SmartExecution(spec, arguments: [], session: session).ids(session).value
                : try QueryExecution(spec, soup: soup, session: session).ids(session)
            let removed = try EntryRemoval(soup: target, session: session).remove(ids)
            return Reported(removed, rows: removed)
        }
    }
}
