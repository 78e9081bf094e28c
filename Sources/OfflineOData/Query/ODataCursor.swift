import OfflineStore
public import Soups

/// Shows the result of a query over a soup page by page.
///
/// ```swift
/// var cursor = try store.query(odata: query, in: "products")
/// repeat {
///     show(cursor.page)
/// } while try cursor.next()
/// ```
///
/// Pages are read when they are asked for, each from one state of the store. In the order of the entry ids a page
/// continues after the last row shown. After a sort the order of the first page is kept: rows that are gone, or that no
/// longer pass the filter, are left out, and rows that came later are not seen. A cursor is a value: copies move
/// independently.
public struct ODataCursor: Sendable {
    /// The rows of the page as JSON texts: as stored, unless the query projects them.
    public private(set) var page: [[UInt8]]
    /// The number of rows that the filter and the search leave, if the query asks for it; of the time of the first
    /// page.
    public let count: Int64?
    /// The `$skip` of the next page; `nil` if this page is the last one, or `$top` is used up.
    public private(set) var nextSkip: Int64?
    /// A token for the next page. Tokens are not supported yet; nil.
    public var nextToken: String? { nil }

    private let run: SoupQueryRun
    private var position: QueryPosition

    init(_ run: SoupQueryRun) throws(Fault) {
        self.run = run
        let first = try run.page(from: QueryPosition(run.options))
        page = first.rows
        count = first.count
        position = first.next
        nextSkip = position.nextSkip
    }

    /// Reads the next page. Returns false if there is none; the page is empty then.
    ///
    /// - Throws: what evaluating throws for a row: `arithmetic`, `typeMismatch`, `limitExceeded`, `unsupported`; what
    ///   reading the store throws. The cursor stays where it is.
    public mutating func next() throws(Fault) -> Bool {
        guard position.hasMore else {
            page = []
            return false
        }
        let next = try run.page(from: position)
        page = next.rows
        position = next.next
        nextSkip = position.nextSkip
        return !page.isEmpty
    }

    /// Reads the next page as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public mutating func next() async throws -> Bool {
        let moved = try await run.store.reading { [self] in
            var cursor = self
            let isThere = try cursor.next()
            return (cursor, isThere)
        }
        self = moved.0
        return moved.1
    }
}
