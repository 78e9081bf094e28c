/// Says what a backup holds, as it was read from the finished copy.
public struct BackupSummary: Sendable, Hashable {
    /// What the backup holds of one soup.
    public struct Soup: Sendable, Hashable {
        /// The name of the soup.
        public let name: String
        /// The number of its entries.
        public let entries: Int
        /// SHA-256 of all entries in the order of their ids, each with a line feed: equal for equal entries.
        public let digest: String
    }

    /// The soups in the order of their registration, without those of which an alteration is unfinished.
    public let soups: [Soup]
    /// The bytes of the copy on the disk, with the files of external entries.
    public let bytes: Int64
    /// The number of the state that was copied, for `StoreTransaction.requireUnchanged(since:soups:)`: it tells whether
    /// soups were changed since the backup.
    public let commit: CommitNumber
}
