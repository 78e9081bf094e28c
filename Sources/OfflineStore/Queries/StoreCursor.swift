import SmartSQL
public import Soups
import Synchronization

/// Walks through the results of a query, one page in memory at a time.
///
/// ```swift
/// let cursor = try store.query(.all(pageSize: 50), soup: "contacts")
/// var texts = cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
/// while cursor.currentPageIndex + 1 < cursor.totalPages {
///     try cursor.moveToNextPage()
///     texts += cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
/// }
/// ```
///
/// A cursor is not a snapshot: each move reads the current state of the store, while the totals stay what they were
/// when the cursor was created. Next and previous continue from the entries shown, so their cost does not depend on how
/// far the cursor has come; moving to an index counts from the first entry. A cursor keeps no statement or transaction
/// open. Safe to share; moves of one cursor happen one after another. Source: guide, Working with Query Results.
public final class StoreCursor: Sendable {
    /// The number of the cursor, counted from 1 in each store.
    public let cursorId: Int
    /// The number of entries of a full page.
    public let pageSize: Int
    /// The number of matches when the cursor was created.
    public let totalEntries: Int
    /// The number of pages for `totalEntries`.
    public let totalPages: Int
    let source: any CursorSource
    /// Held by a move from start to end.
    private let moving = Mutex(())
    /// Held for moments only: the current page can be read while a move is running.
    private let state: Mutex<State>

    private struct State {
        var page: StorePage
        var first: PageQuery.Position?
        var last: PageQuery.Position?
        var isOpen = true
    }

    init(id: Int, pageSize: Int, totalEntries: Int, first: ResultPage, source: any CursorSource) {
        cursorId = id
        self.pageSize = pageSize
        self.totalEntries = totalEntries
        let (full, rest) = totalEntries.quotientAndRemainder(dividingBy: pageSize)
        totalPages = full + (rest > 0 ? 1 : 0)
        self.source = source
        state = Mutex(State(page: first.page(0), first: first.first, last: first.last))
    }

    /// The current page.
    public var currentPage: StorePage { state.withLock { $0.page } }
    /// The index of the current page, counted from 0.
    public var currentPageIndex: Int { currentPage.index }

    /// Moves to the next page, from the last entry shown. Throws `lastPage`, `invalidCursor`, and what reading throws.
    @discardableResult
    public func moveToNextPage() throws(Fault) -> StorePage {
        try move { (state) throws(Fault) in
            guard state.page.index + 1 < totalPages else {
                throw Fault(.lastPage, "moveCursorToNextPage called while on last page")
            }
            return (state.page.index + 1, state.last.map(CursorMove.after))
        }
    }

    /// Moves to the previous page, from the first entry shown. Throws `firstPage`, `invalidCursor`, and what reading
    /// throws.
    @discardableResult
    public func moveToPreviousPage() throws(Fault) -> StorePage {
        try move { (state) throws(Fault) in
            guard state.page.index > 0 else {
                throw Fault(.firstPage, "moveCursorToPreviousPage called while on first page")
            }
            return (state.page.index - 1, state.first.map(CursorMove.before))
        }
    }

    /// Moves to a page by its index; an index out of range becomes the nearest page. Linear in the entries before it.
    @discardableResult
    public func moveToPage(_ index: Int) throws(Fault) -> StorePage {
        try move { (_) throws(Fault) in (min(max(index, 0), max(totalPages - 1, 0)), nil) }
    }

    /// Ends the cursor: later moves throw `invalidCursor`.
    public func close() { state.withLock { $0.isOpen = false } }

    private func move(_ target: (State) throws(Fault) -> (index: Int, move: CursorMove?)) throws(Fault) -> StorePage {
        // The right to read is taken before the cursor's lock: callers that hold it wait for the cursor, never the
        // other way round.
        try source.store.connections.holdingReader { () throws(Fault) in
            try moving.withLock { (_) throws(Fault) in
                let shown = state.withLock { $0 }
                guard shown.isOpen else {
                    throw Fault(.invalidCursor, "the cursor is closed")
                }
                let (index, move) = try target(shown)
                // If there is no entry to continue from (all of the page were removed in the meantime), the page is
                // counted from the first entry.
                let result = try source.page(move ?? .at(index * pageSize), limit: pageSize)
                let page = result.page(index)
                state.withLock { state in
                    state.page = page
                    state.first = result.first
                    state.last = result.last
                }
                return page
            }
        }
    }
}

extension StoreCursor {
    /// The pages from the current one to the last.
    public var pages: CursorPages { CursorPages(cursor: self) }
}
