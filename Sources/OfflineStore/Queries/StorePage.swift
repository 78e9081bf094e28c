/// Holds one page of a query's results: entries as JSON texts, or rows of values if the query selects paths.
public struct StorePage: Sendable {
    /// The two kinds of results; which one depends on the query.
    public enum Contents: Sendable {
        /// Whole entries, for a query without select paths.
        case entries(EntryList)
        /// Rows of values, for a query with select paths or a Smart SQL text.
        case rows([[StoreCell]])
    }

    /// The index of the page, counted from 0.
    public let index: Int
    /// The results on the page.
    public let contents: Contents

    /// The number of entries or rows on the page.
    public var count: Int {
        switch contents {
        case .entries(let entries): entries.count
        case .rows(let rows): rows.count
        }
    }

    /// The entries, if the query gives entries; empty if it gives rows.
    public var entries: EntryList {
        if case .entries(let entries) = contents {
            entries
        } else {
            EntryList()
        }
    }

    /// The rows, if the query gives rows; empty if it gives entries.
    public var rows: [[StoreCell]] {
        if case .rows(let rows) = contents {
            rows
        } else {
            []
        }
    }
}
