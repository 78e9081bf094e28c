/// Says how a connection keeps its data. The defaults are the store's: nothing acknowledged is lost when the power
/// fails.
public struct ConnectionSettings: Sendable, Hashable {
    /// Says how a transaction is made to hold. Source: https://sqlite.org/wal.html.
    public enum JournalMode: String, Sendable, Hashable, CaseIterable {
        /// Readers and the writer do not wait for each other.
        case wal
        /// A rollback journal, removed at each commit.
        case delete
    }

    /// Says what has reached the disk when a commit returns. Source: https://sqlite.org/pragma.html#pragma_synchronous.
    public enum Durability: String, Sendable, Hashable, CaseIterable {
        /// Everything acknowledged survives a power cut.
        case full
        /// The file stays sound, but the last acknowledged commits may be lost in a power cut. An ending process loses
        /// nothing.
        case relaxed

        var pragma: String { self == .full ? "FULL" : "NORMAL" }
    }

    /// SQLite's own page size, and that of SQLCipher 4.
    public static let defaultPageSize = 4096

    public var journalMode: JournalMode
    public var durability: Durability
    /// Bytes a page, a power of two from 512 to 65,536; in an encrypted file 1024 at least.
    ///
    /// A plain file that exists keeps its own. An encrypted one opens only with the size it was made with; for the
    /// formats before 4 (`CipherSettings.compatibility`) the default stands for 1024, their own.
    public var pageSize: Int
    /// Bytes of pages kept in memory, for each connection. What is cached is not decrypted again.
    public var cacheSize: Int
    /// Milliseconds to wait for a lock of another connection or process.
    public var busyTimeout: Int
    /// Pages beyond which the file does not grow, or nil. Writing more is `diskFull`.
    public var maximumPageCount: Int?
    public var cipher: CipherSettings
    /// Reads in place where the access is `.readOnly`: through SQLite's locks, beside other processes that write. Makes
    /// `-wal` and `-shm` next to a database in WAL mode, needs the right to do so, and may leave them. Without it
    /// nothing is made, and a database that another process has open is `busy`.
    public var readsInPlace: Bool

    public init(
        journalMode: JournalMode = .wal, durability: Durability = .full, pageSize: Int = defaultPageSize,
        cacheSize: Int = 16 << 20, busyTimeout: Int = 5000,
        maximumPageCount: Int? = nil, cipher: CipherSettings = CipherSettings(), readsInPlace: Bool = false
    ) {
        self.journalMode = journalMode
        self.durability = durability
        self.pageSize = pageSize
        self.cacheSize = cacheSize
        self.busyTimeout = busyTimeout
        self.maximumPageCount = maximumPageCount
        self.cipher = cipher
        self.readsInPlace = readsInPlace
    }
}
