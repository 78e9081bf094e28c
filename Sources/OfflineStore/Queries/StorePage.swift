public import Soups

/// Holds one page of a query's results: entries as JSON texts, or rows of values where the query selects paths.
public struct StorePage: Sendable {
    /// Says what the results are, by the query.
    public enum Contents: Sendable {
        case entries(EntryList)
        case rows([[StoreCell]])
    }

    /// Counted from 0.
    public let index: Int
    public let contents: Contents

    public var count: Int {
        switch contents {
        case .entries(let entries): entries.count
        case .rows(let rows): rows.count
        }
    }

    /// The entries, where the query gives entries; none where it gives rows.
    public var entries: EntryList {
        if case .entries(let entries) = contents {
            entries
        } else {
            EntryList()
        }
    }

    /// The rows, where the query gives rows; none where it gives entries.
    public var rows: [[StoreCell]] {
        if case .rows(let rows) = contents {
            rows
        } else {
            []
        }
    }
}

/// Holds one value of a row: a value of SQLite, or a whole entry.
public enum StoreCell: Sendable, Hashable {
    case value(SQLValue)
    /// The entry's JSON text.
    case entry([UInt8])
}
