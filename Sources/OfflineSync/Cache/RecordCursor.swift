public import JSONText
import LocalChanges
public import OfflineStore
public import Soups

/// Walks through the records that a query of a record cache found, one page in memory at a time.
public struct RecordCursor: Sendable {
    /// The cursor of the store.
    public let cursor: StoreCursor

    /// Shows the pages of a cursor as records.
    public init(_ cursor: StoreCursor) { self.cursor = cursor }

    /// Returns the records of the current page. Rows of values, of smart queries and of queries that select paths, are
    /// one list of their cells.
    ///
    /// - Throws: `corrupt` if a stored record is not valid JSON.
    public func records() throws(Fault) -> [JSONValue] {
        let page: JSONValue
        do throws(JSONError) {
            page = try JSONValue(parsing: cursor.currentPage.json, options: .storedEntry)
        } catch {
            throw Fault(.corrupt, "a stored record is not valid JSON: \(error.message)", offset: error.offset)
        }
        let elements = page.array ?? []
        switch cursor.currentPage.contents {
        case .entries: return elements
        case .rows: return elements.flatMap { $0.array ?? [] }
        }
    }

    /// Whether there is another page. Reads nothing.
    public var hasMore: Bool { cursor.hasNextPage }

    /// Moves to the next page and returns its records.
    ///
    /// - Throws: `lastPage` if there is none, `invalidCursor` if the cursor was closed; as `StoreCursor` reads.
    public func more() throws(Fault) -> [JSONValue] {
        try cursor.moveToNextPage()
        return try records()
    }

    /// Closes the cursor. The current page stays.
    public func close() { cursor.close() }
}
