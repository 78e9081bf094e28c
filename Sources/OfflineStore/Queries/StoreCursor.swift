import Platform
import SQLiteAccess
import SmartSQL
public import Soups
import Synchronization

/// Walks through the results of a query, one page at a time. The memory of the page before it is kept for the next one.
///
/// ```swift
/// let cursor = try store.query(.all(pageSize: 50), soup: "contacts")
/// var texts = cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
/// while cursor.hasNextPage {
///     try cursor.moveToNextPage()
///     texts += cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
/// }
/// ```
///
/// A cursor is not a snapshot: each move reads the current state of the store. The totals are counted when they are
/// first asked for, in the state of the store at that moment, and stay the same from then on. A first page that is not
/// full, or followed by nothing, is its own count, and so are the rows of Smart SQL. Pages themselves never wait for a
/// count: each is read with one row more than it shows, which says whether there is a next one.
///
/// Next and previous continue from the entries shown, so their cost does not depend on how far the cursor has come;
/// moving to an index counts from the first entry. So does moving back to the first page, and to one that entries
/// removed in the meantime would leave short. A cursor keeps no statement or transaction open. Safe to share; moves of
/// one cursor happen one after another. Source: guide, Working with Query Results.
public final class StoreCursor: Sendable {
    /// The number of the cursor, counted from 1 in each store.
    public let cursorId: Int
    /// The number of entries of a full page.
    public let pageSize: Int
    let source: any CursorSource
    /// Held by a move from start to end.
    private let moving = Mutex(())
    /// Held for moments only: the current page can be read while a move is running.
    private let state: Mutex<State>

    private struct State {
        var page: StorePage
        var first: PageQuery.Position?
        var last: PageQuery.Position?
        /// Whether rows followed the page when it was read.
        var hasMore: Bool
        /// The number of matches; nil until it is counted.
        var total: Int?
        var isOpen = true
    }

    init(id: Int, pageSize: Int, totalEntries: Int?, first: ResultPage, source: any CursorSource) {
        cursorId = id
        self.pageSize = pageSize
        self.source = source
        state = Mutex(
            State(
                page: first.page(0), first: first.first, last: first.last, hasMore: first.hasMore, total: totalEntries))
    }

    /// The current page.
    public var currentPage: StorePage { state.withLock { $0.page } }
    /// The index of the current page, counted from 0.
    public var currentPageIndex: Int { currentPage.index }

    /// Whether there is a page after the current one: by the totals if they are known, otherwise as the store was when
    /// the current page was read. Reads nothing.
    public var hasNextPage: Bool { state.withLock { hasNextPage($0) } }

    /// The number of matches, counted when it is first asked for. O(matches) then, and blocking; `countEntries` is the
    /// asynchronous form.
    ///
    /// - Throws: what reading throws; `invalidCursor` if the cursor was closed before its matches were counted.
    public var totalEntries: Int {
        get throws(Fault) {
            let shown = state.withLock { $0 }
            if let total = shown.total {
                return total
            }
            guard shown.isOpen else {
                throw Self.closed
            }
            let counted = try source.count()
            // If two threads count at the same time, both get what the faster one has found.
            return state.withLock { state in
                let total = state.total ?? counted
                state.total = total
                return total
            }
        }
    }

    /// The number of pages for `totalEntries`. Counts and throws as that does.
    public var totalPages: Int { get throws(Fault) { pages(for: try totalEntries) } }

    /// Moves to the next page, from the last entry shown. Throws `lastPage`, `invalidCursor`, and what reading throws;
    /// `busy` inside a transaction while another thread moves the cursor for longer than the busy timeout.
    @discardableResult
    public func moveToNextPage() throws(Fault) -> StorePage {
        try move { (state) throws(Fault) in
            guard hasNextPage(state) else {
                throw Fault(.lastPage, "moveCursorToNextPage called while on last page")
            }
            return try read(state.page.index + 1, state.last.map(CursorMove.after))
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
            let index = state.page.index - 1
            // The first page is the one that the query shows when it runs again.
            guard index > 0, let first = state.first else {
                return try read(index, nil)
            }
            let result = try read(index, .before(first))
            // Entries before the one shown were removed: the pages have moved, and the page is counted instead.
            return result.page.count < pageSize ? try read(index, nil) : result
        }
    }

    /// Moves to a page by its index; an index out of range becomes the nearest page. Linear in the entries before it;
    /// an index out of range also counts the matches.
    ///
    /// - Throws: `invalidCursor`, and what reading throws; `busy` as `moveToNextPage`.
    @discardableResult
    public func moveToPage(_ index: Int) throws(Fault) -> StorePage {
        try move { (state) throws(Fault) in
            let index = max(index, 0)
            if index == 0 {
                return try read(0, nil)
            }
            if state.total == nil, !index.multipliedReportingOverflow(by: pageSize).overflow {
                let result = try read(index, nil)
                if result.page.count > 0 {
                    return result
                }
            }
            return try read(min(index, max(totalPages - 1, 0)), nil)
        }
    }

    /// Ends the cursor: later moves throw `invalidCursor`.
    public func close() { state.withLock { $0.isOpen = false } }

    private func hasNextPage(_ state: State) -> Bool {
        guard let total = state.total else { return state.hasMore }
        return state.page.index + 1 < pages(for: total)
    }

    private func pages(for total: Int) -> Int {
        let (full, rest) = total.quotientAndRemainder(dividingBy: pageSize)
        return full + (rest > 0 ? 1 : 0)
    }

    /// Reads a page. If there is no entry to continue from (all of the page were removed in the meantime), the page is
    /// counted from the first entry.
    private func read(_ index: Int, _ move: CursorMove?) throws(Fault) -> (page: StorePage, result: ResultPage) {
        var result = try source.page(move ?? .at(index * pageSize), limit: pageSize)
        if case .before? = move {
            // The page that the cursor came from.
            result.hasMore = true
        }
        return (result.page(index), result)
    }

    private func move(
        _ target: (State) throws(Fault) -> (page: StorePage, result: ResultPage)
    ) throws(Fault) -> StorePage {
        // The right to read is taken before the cursor's lock: callers that hold it wait for the cursor, never the
        // other way round.
        let connections = source.store.connections
        return try connections.holdingReader { () throws(Fault) in
            guard connections.gate.isWriter else {
                return try moving.withLock { (_) throws(Fault) in try show(target) }
            }
            // A move that reads external entries may wait for this thread's transaction, so this one waits for a while
            // only.
            let end = ContinuousClock.now + .milliseconds(max(1_000, connections.options.settings.busyTimeout))
            while true {
                let page = try moving.withLockIfAvailable { (_) throws(Fault) in try show(target) }
                if let page {
                    return page
                }
                guard .now < end else {
                    throw Fault(
                        .busy, "another thread moves this cursor, and may wait for this transaction: end it first")
                }
                CurrentThread.sleep(.milliseconds(1))
            }
        }
    }

    private func show(
        _ target: (State) throws(Fault) -> (page: StorePage, result: ResultPage)
    ) throws(Fault) -> StorePage {
        let shown = state.withLock { $0 }
        guard shown.isOpen else {
            throw Self.closed
        }
        let (page, result) = try target(shown)
        state.withLock { state in
            state.page = page
            state.first = result.first
            state.last = result.last
            state.hasMore = result.hasMore
        }
        return page
    }

    private static let closed = Fault(.invalidCursor, "the cursor is closed")
}

extension StoreCursor {
    /// The pages from the current one to the last.
    public var pages: CursorPages { CursorPages(cursor: self) }
}
