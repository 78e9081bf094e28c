/// The names that a soup's table has in the file of a store, by its number: those of Mobile SDK.
package struct SoupTableName: Hashable, Sendable, CustomStringConvertible {
    /// The number of the table. It is never given twice.
    package let id: Int64

    package init(_ id: Int64) { self.id = id }

    /// Reads `TABLE_7`; nil for another text.
    package init?(_ name: some StringProtocol) {
        guard Self.begins(name), let id = Int64(name.dropFirst(Self.prefix.utf8.count)) else {
            return nil
        }
        self.init(id)
    }

    /// Reads `TABLE_7` as this type writes it: `TABLE_07` is someone else's.
    package init?(exactly name: String) {
        guard let table = SoupTableName(name), ByteKey(table.description) == ByteKey(name) else { return nil }
        self = table
    }

    /// Whether a name begins as those of tables do, and of all that belongs to them.
    package static func begins(_ name: some StringProtocol) -> Bool { name.utf8.starts(with: prefix.utf8) }

    private static let prefix = "TABLE_"

    /// The table itself: `TABLE_7`.
    package var description: String { Self.prefix + String(id) }

    /// The table of its full text.
    package var fullText: String { "\(self)_fts" }

    /// The table while an alteration copies its rows to the new one.
    package var old: String { "\(self)_old" }
    package var oldFullText: String { "\(self)_old_fts" }

    /// The column of an index spec, by the spec's index: `TABLE_7_0`.
    package func column(_ index: Int) -> String { "\(self)_\(index)" }

    /// The ordinary index of an index spec, by the spec's index: `TABLE_7_0_idx`.
    package func index(_ index: Int) -> String { "\(column(index))_idx" }
}
