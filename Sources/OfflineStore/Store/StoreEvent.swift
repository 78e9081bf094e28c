public import SQLiteAccess

/// Reports to an observer what a store ran and what it cost. It holds no bound value and no entry.
///
/// ```swift
/// options.events = { event in
///     log.write("\(event.operation.rawValue): \(event.nanoseconds / 1000) us, \(event.rows) rows")
/// }
/// ```
public struct StoreEvent: Sendable {
    /// The call that caused it.
    public let operation: Operation
    /// The SQL as prepared, with `?` for bound values; nil for work that is not a single statement.
    public let statement: String?
    /// Wall time in nanoseconds, including waiting for locks of the database.
    public let nanoseconds: Int64
    /// The number of entries written, rows returned or rows removed.
    public let rows: Int
    /// What SQLite counted while the statement ran, if the event is about one statement.
    public let counters: StatementCounters?

    /// Names the kind of work. An open set: later versions may add to it.
    public struct Operation: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Opening a store, or opening it again.
        public static let open = Self(rawValue: "open")
        /// A call of `registerSoup`.
        public static let registerSoup = Self(rawValue: "registerSoup")
        /// A call of `removeSoup` or `removeAllSoups`.
        public static let removeSoup = Self(rawValue: "removeSoup")
        /// A call of `clearSoup`.
        public static let clearSoup = Self(rawValue: "clearSoup")
        /// A call of `alterSoup`.
        public static let alterSoup = Self(rawValue: "alterSoup")
        /// A call of `reIndexSoup`.
        public static let reIndexSoup = Self(rawValue: "reIndexSoup")
        /// A call of `upsert`: its rows are the entries stored.
        public static let upsert = Self(rawValue: "upsert")
        /// A call of `retrieve`: its rows are the entries found.
        public static let retrieve = Self(rawValue: "retrieve")
        /// A call of `remove`, by ids or by query: its rows are the entries removed.
        public static let remove = Self(rawValue: "remove")
        /// Reading a page of a query: its rows are the entries or rows on the page.
        public static let query = Self(rawValue: "query")
        /// Counting the matches of a query.
        public static let count = Self(rawValue: "count")
        /// One transaction of a load of JSON lines: its rows are the entries stored.
        public static let load = Self(rawValue: "load")
        /// An `explain` of a query; the statement is the one that was explained.
        public static let explain = Self(rawValue: "explain")
        /// A search for an entry's id by an indexed value.
        public static let lookup = Self(rawValue: "lookup")
        /// A change of key, from the first page copied to the rename of the new file. The opening that follows is an
        /// event of its own.
        public static let rekey = Self(rawValue: "rekey")
    }
}
