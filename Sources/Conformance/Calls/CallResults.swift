import JSONText
import OfflineStore
import Soups

/// Creates the results of calls.
enum CallResults {
    /// Parses an entry that the store returned.
    static func entry(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes, options: .storedEntry)
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
    }

    /// Rows of values, as the pages of cursors have them.
    static func rows(_ rows: [[StoreCell]]) throws(Fault) -> JSONValue {
        try entry(StoreCell.json(of: rows))
    }

    /// Rows, each value in a pair with the name of its column.
    static func namedRows(_ rows: Slice<RowList>) throws(Fault) -> JSONValue {
        let values = try Self.rows(rows.map { Array($0) }).array ?? []
        try RowReadings.compare(rows, values)
        return .array(
            zip(rows, values).map { row, values in
                .array(zip(row.columns, values.array ?? []).map { .array([.string($0), $1]) })
            })
    }
}
