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

    /// Says who may have the file open. Source: https://sqlite.org/pragma.html#pragma_locking_mode.
    public enum LockingMode: String, Sendable, Hashable, CaseIterable {
        /// Any number of connections and processes.
        case shared
        /// One connection only, which keeps its lock from opening to closing: it need not ask for a lock at each call,
        /// which makes single reads nearly twice as fast.
        ///
        /// A store has no connections for reading then: reading calls wait for writing ones and for each other. A
        /// second store on the file, in this process or another one, programs that inspect it, and reading in place are
        /// `busy`; so is opening while another connection is open. There is no `-shm`.
        case exclusive
    }

    /// 4096: the page size of SQLite and of SQLCipher 4.
    public static let defaultPageSize = 4096
    /// 1000: SQLite's own number of pages between two checkpoints.
    public static let defaultCheckpointPages = 1000

    /// How transactions are made atomic. An existing file is changed to this mode when it is opened for writing.
    public var journalMode: JournalMode
    /// What has reached the disk when a commit returns.
    public var durability: Durability
    /// Who may have the file open. Opening for reading only ignores it.
    public var lockingMode: LockingMode
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
    /// The number of pages in the `-wal` from which a commit writes it back into the file, at least 1.
    ///
    /// More pages make writing faster, because a page that several transactions change is written back once: by a tenth
    /// to a third in transactions of 1,000 entries. The price is a `-wal` of that many pages and one transaction, which
    /// is read again when the store is opened after a crash. `load` has a bound of its own.
    public var checkpointPages: Int
    /// The layout of an encrypted file. Without a key it is ignored.
    public var cipher: CipherSettings
    /// Makes the access `.readOnly` use SQLite's locks, so that it can read while other processes write. Creates `-wal`
    /// and `-shm` next to a database in WAL mode, needs the permission to do so, and may leave them. Without it no file
    /// is created, and a database that another process has open is `busy`.
    public var readsInPlace: Bool

    /// Creates settings. They are checked when a file is opened: `invalidArguments` if no file can have them.
    public init(
        journalMode: JournalMode = .wal, durability: Durability = .full, lockingMode: LockingMode = .shared,
        pageSize: Int = defaultPageSize, cacheSize: Int = 16 << 20, busyTimeout: Int = 5000,
        maximumPageCount: Int? = nil, checkpointPages: Int = defaultCheckpointPages,
        cipher: CipherSettings = CipherSettings(), readsInPlace: Bool = false
    ) {
        self.journalMode = journalMode
        self.durability = durability
        self.lockingMode = lockingMode
        self.pageSize = pageSize
        self.cacheSize = cacheSize
        self.busyTimeout = busyTimeout
        self.maximumPageCount = maximumPageCount
        self.checkpointPages = checkpointPages
        self.cipher = cipher
        self.readsInPlace = readsInPlace
    }
}
