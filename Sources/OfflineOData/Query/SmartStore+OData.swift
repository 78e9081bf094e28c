public import OfflineStore
public import Soups

extension SmartStore {
    /// Runs a query in OData over a soup and shows its first page.
    ///
    /// ```swift
    /// let query = try SoupQuery("$filter=startswith(Name,'M')&$orderby=Price desc")
    /// let cursor = try store.query(odata: query, in: "products")
    /// ```
    ///
    /// The rows, their order and number are those of an evaluation over all rows of the soup; indexes change only the
    /// time. Without `$orderby` rows are in the order of their entry ids. `relations` names what `$expand` finds in
    /// other soups; a path over one of them in a filter or an order is `unsupported`.
    ///
    /// - Throws: `soupNotFound`; `pathNotIndexed` for `$search` without a full-text index; what evaluating throws for a
    ///   row that is looked at: `arithmetic`, `typeMismatch`, `limitExceeded`, `unsupported`; `invalidArguments` for a
    ///   computed name that a row has, or a relation whose keys differ in length; `unknownProperty` and `limitExceeded`
    ///   for what `$expand` names.
    public func query(
        odata query: SoupQuery, in soup: String, relations: [SoupRelation] = []
    ) throws(Fault) -> ODataCursor {
        try ODataCursor(SoupQueryRun(query, store: self, soup: soup, relations: relations))
    }

    /// Says how a query over a soup would be answered, without running it.
    ///
    /// ```swift
    /// let plan = try store.explain(odata: query, in: "products")
    /// let evaluated = plan.conjuncts.filter { $0.answer != .sql }.map(\.text)
    /// ```
    ///
    /// - Throws: `soupNotFound`; what preparing the query throws.
    public func explain(
        odata query: SoupQuery, in soup: String, relations: [SoupRelation] = []
    ) throws(Fault) -> ODataPlan {
        try ODataPlan(SoupQueryRun(query, store: self, soup: soup, relations: relations))
    }

    /// Explains a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func explain(
        odata query: SoupQuery, in soup: String, relations: [SoupRelation] = []
    ) async throws -> ODataPlan {
        try await reading { try self.explain(odata: query, in: soup, relations: relations) }
    }

    /// Runs a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func query(
        odata query: SoupQuery, in soup: String, relations: [SoupRelation] = []
    ) async throws -> ODataCursor {
        try await reading { try self.query(odata: query, in: soup, relations: relations) }
    }

    /// Plans a query as `query(odata:in:)` does before it reads a row, and returns the text of its first statement.
    /// Benchmarks measure it, without SQLite's own work on the statement.
    package func planned(odata query: SoupQuery, in soup: String) throws(Fault) -> String {
        let run = try SoupQueryRun(query, store: self, soup: soup, relations: [])
        let registered = try snapshot { (snapshot) throws(Fault) in try snapshot.soup(soup) }
        return run.plan(for: registered).firstStatement.text
    }
}
