/// Says what takes the bytes of a store.
public struct SizeReport: Sendable, Hashable {
    /// What one soup takes.
    public struct Soup: Sendable, Hashable {
        /// The name of the soup.
        public let name: String
        /// The number of entries.
        public let entries: Int
        /// Bytes of the table with the entries.
        public let table: Int64
        /// Bytes of its indexes.
        public let indexes: Int64
        /// Bytes of its full-text tables.
        public let fullText: Int64
        /// Bytes of files outside the database.
        public let files: Int64
    }

    /// The soups in the order of their registration.
    public let soups: [Soup]
    /// Bytes of the database file.
    public let file: Int64
    /// Bytes in pages of the file that hold nothing.
    public let free: Int64
    /// Bytes of the -wal.
    public let log: Int64
    /// Whether the sizes of tables are estimated from the length of their texts, because the library cannot count
    /// pages.
    public let isEstimated: Bool
}
