/// Gives the pages of a query, starting with the cursor's current page. Each page is read when it is requested.
///
/// ```swift
/// for try await page in try await store.query(.all(pageSize: 50), soup: "contacts").pages {
///     texts += page.entries.map { String(decoding: $0, as: UTF8.self) }
/// }
/// ```
public struct CursorPages: AsyncSequence, Sendable {
    public typealias Element = StorePage
    let cursor: StoreCursor

    /// Moves the cursor from page to page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let cursor: StoreCursor
        var isFirst = true

        /// Returns the current page first, then moves on; nil after the last page, or if the next one has become empty.
        ///
        /// - Throws: what reading throws, and `CancellationError`.
        public mutating func next() async throws -> StorePage? {
            let cursor = cursor
            if isFirst {
                isFirst = false
                let page = cursor.currentPage
                return page.count == 0 ? nil : page
            }
            guard cursor.hasNextPage else { return nil }
            let page = try await cursor.moveToNextPage()
            return page.count == 0 ? nil : page
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: cursor) }
}
