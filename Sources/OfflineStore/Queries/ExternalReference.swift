import SmartSQL
import Soups

/// Names an entry in a file of its own, in a column of a Smart SQL text: the blob `TABLE_n:id`, which the translation
/// writes in the place of the entry.
struct ExternalReference {
    let table: SoupTableName
    let id: Int64

    /// Returns nil for any other bytes.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let table = SoupTableName(String(decoding: parts[0], as: UTF8.self)),
            let id = Int64(String(decoding: parts[1], as: UTF8.self))
        else {
            return nil
        }
        self.table = table
        self.id = id
    }
}
