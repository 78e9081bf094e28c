import SmartSQL
public import Soups
import Synchronization

/// Walks through the results of a query, one page in memory at a time.
///
/// A cursor is no snapshot: each move reads the store as it is then, while the totals stay what they were when the
/// cursor was made. Next and previous continue from the entries shown, so that their cost does not depend on how far
/// the cursor has come; moving to an index counts from the beginning. It holds nothing open. Safe to share; moves of
/// one cursor happen one after the other. Source: guide, Working with Query Results.
public final class StoreCursor: Sendable {
    /// Counts from 1 in each store.
    public let cursorId: Int
    /// Entries of a full page.
    public let pageSize: Int
    /// Matches there were when the cursor was made.
    public let totalEntries: Int
    /// Pages that `totalEntries` make.
    public let totalPages: Int
    let source: any CursorSource
    /// Held by a move from its beginning to its end.
    private let moving = Mutex(())
    /// Held for moments only: what is shown can be asked for while a move is under way.
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

    /// The page shown.
    public var currentPage: StorePage { state.withLock { $0.page } }
    public var currentPageIndex: Int { currentPage.index }

    /// Moves on, from the last entry shown. Throws `lastPage`, `invalidCursor`, and what reading throws.
    @discardableResult
    public func moveToNextPage() throws(Fault) -> StorePage {
        try move { (state) throws(Fault) in
            guard state.page.index + 1 < totalPages else {
                throw Fault(.lastPage, "moveCursorToNextPage called while on last page")
            }
            return (state.page.index + 1, state.last.map(CursorMove.after))
        }
    }

    /// Moves back, from the first entry shown. Throws `firstPage`, `invalidCursor`, and what reading throws.
    @discardableResult
    public func moveToPreviousPage() throws(Fault) -> StorePage {
        try move { (state) throws(Fault) in
            guard state.page.index > 0 else {
                throw Fault(.firstPage, "moveCursorToPreviousPage called while on first page")
            }
            return (state.page.index - 1, state.first.map(CursorMove.before))
        }
    }

    /// Moves to a page by its number; one out of range becomes the nearest there is. Linear in the entries before it.
    @discardableResult
    public func moveToPage(_ index: Int) throws(Fault) -> StorePage {
        try move { (_) throws(Fault) in (min(max(index, 0), max(totalPages - 1, 0)), nil) }
    }

    /// Ends the cursor: later moves throw `invalidCursor`.
    public func close() { state.withLock { $0.isOpen = false } }

    private func move(_ target: (State) throws(Fault) -> (index: Int, move: CursorMove?)) throws(Fault) -> StorePage {
        // The right to read comes before the cursor: callers that hold it wait for the cursor, never the other way
        // round.
        try source.store.connections.holdingReader { () throws(Fault) in
            try moving.withLock { (_) throws(Fault) in
                let shown = state.withLock { $0 }
                guard shown.isOpen else {
                    throw Fault(.invalidCursor, "the cursor is closed")
                }
                let (index, move) = try target(shown)
                // Without an entry to continue from (all of the page were removed meanwhile) the place is counted.
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

/// Says where a page begins.
enum CursorMove {
    case after(PageQuery.Position)
    case before(PageQuery.Position)
    case at(Int)
}

/// Reads the pages of one query for a cursor.
protocol CursorSource: Sendable {
    var store: SmartStore { get }
    func page(_ move: CursorMove, limit: Int) throws(Fault) -> ResultPage
}

/// Gives the pages of a query, from the cursor's page on, each read when it is asked for.
public struct CursorPages: AsyncSequence, Sendable {
    public typealias Element = StorePage
    let cursor: StoreCursor

    /// Moves the cursor from page to page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let cursor: StoreCursor
        var isFirst = true

        /// Gives the page shown first, then moves on; nil behind the last page, or where the next one has become empty.
        ///
        /// - Throws: what reading throws, and `CancellationError`.
        public mutating func next() async throws -> StorePage? {
            let cursor = cursor
            if isFirst {
                isFirst = false
                return cursor.totalPages == 0 ? nil : cursor.currentPage
            }
            guard cursor.currentPageIndex + 1 < cursor.totalPages else { return nil }
            let page = try await cursor.moveToNextPage()
            return page.count == 0 ? nil : page
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: cursor) }
}

extension StoreCursor {
    /// The pages from the one shown to the last.
    public var pages: CursorPages { CursorPages(cursor: self) }
}
