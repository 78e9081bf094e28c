package import Soups

/// Names an entry in a file of its own, in a column of a Smart SQL text: the blob `TABLE_n:id`.
///
/// The translation writes it instead of the entry, which SQLite cannot read. It is one column, as an entry inside the
/// table is, so that the numbers of the columns are the same.
package struct ExternalReference {
    /// The table of the soup.
    package let table: SoupTableName
    /// The id of the entry.
    package let id: Int64

    /// Reads a reference; nil for any other bytes.
    package init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let table = SoupTableName(String(decoding: parts[0], as: UTF8.self)),
            let id = Int64(String(decoding: parts[1], as: UTF8.self))
        else {
            return nil
        }
        self.table = table
        self.id = id
    }

    /// The SQL around the id of an entry that makes a reference of it, and the name that the column has unless the text
    /// gives it another one.
    static func sql(table: String) -> (beforeId: String, afterId: String, ownName: String) {
        ("CAST('\(table):' || ", " AS BLOB)", " as '\(column)'")
    }

    /// The name of the column of references.
    static let column = "externalStorage"
}
