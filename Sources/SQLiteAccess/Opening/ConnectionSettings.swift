/// Says how a connection keeps its data. The defaults are those of the store: nothing acknowledged is lost when the
/// power fails.
///
/// ```swift
/// // Faster commits, of which a power cut may lose the last ones, and twice the patience with other processes.
/// options.settings = ConnectionSettings(durability: .relaxed, busyTimeout: 10_000)
/// ```
public struct ConnectionSettings: Sendable, Hashable {
    /// Says how a transaction is made atomic. Source: https://sqlite.org/wal.html.
    public enum JournalMode: String, Sendable, Hashable, CaseIterable {
        /// A write-ahead log: readers and the writer do not wait for each other.
        case wal
        /// A rollback journal, removed at each commit.
        case delete
    }

    /// Says what has reached the disk when a commit returns. Source: https://sqlite.org/pragma.html#pragma_synchronous.
    public enum Durability: String, Sendable, Hashable, CaseIterable {
        /// Everything acknowledged survives a power cut.
        case full
        /// The file stays sound, but a power cut may lose the last acknowledged commits. A process that ends loses
        /// nothing.
        case relaxed

        var pragma: String { self == .full ? "FULL" : "NORMAL" }
    }

    /// 4096: the page size of SQLite and of SQLCipher 4.
    public static let defaultPageSize = 4096

    /// How transactions are made atomic. An existing file is changed to this mode when it is opened for writing.
    public var journalMode: JournalMode
    /// What has reached the disk when a commit returns.
    public var durability: Durability
    /// Bytes in a page: a power of two from 512 to 65,536, and at least 1024 in an encrypted file.
    ///
    /// An existing plain file keeps its own. An encrypted one opens only with the size it was made with; for the
    /// formats before 4 (`CipherSettings.compatibility`) the default means 1024, the size of those formats.
    public var pageSize: Int
    /// Bytes of pages that each connection keeps in memory. A cached page is not decrypted again.
    public var cacheSize: Int
    /// Milliseconds to wait for a lock of another connection or process.
    public var busyTimeout: Int
    /// The number of pages beyond which the file does not grow; nil for no limit. Writing more throws `diskFull`.
    public var maximumPageCount: Int?
    /// The layout of an encrypted file. Without a key it is ignored.
    public var cipher: CipherSettings
    /// Makes the access `.readOnly` use SQLite's locks, so that it can read while other processes write. Creates `-wal`
    /// and `-shm` next to a database in WAL mode, needs the permission to do so, and may leave them. Without it no file
    /// is created, and a database that another process has open is `busy`.
    public var readsInPlace: Bool

    /// Creates settings. They are checked when a file is opened: `invalidArguments` if no file can have them.
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
