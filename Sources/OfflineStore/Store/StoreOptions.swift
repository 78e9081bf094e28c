public import SQLiteAccess
public import Soups

/// Says how a store is opened. Every default is the safe one: what is acknowledged survives a power cut, and paths must
/// be indexed.
///
/// ```swift
/// var options = StoreOptions(library: try SQLiteLibrary.find(.plain))
/// options.access = .readOnly
/// options.settings.cacheSize = 4 << 20
/// options.smartQueryTime = .seconds(2)
/// let store = try SmartStore(path: path, options: options)
/// ```
public struct StoreOptions: Sendable {
    /// The library that the store uses; the cipher library also opens files without a key.
    public var library: SQLiteLibrary
    /// The key of an encrypted store; nil for a plain one.
    public var key: Key?
    /// What may be done to the file. `.create` creates a missing file, `.readWrite` refuses it, `.readOnly` inspects:
    /// it resumes nothing, and creates, changes and leaves no file. A store that another process has open is then
    /// `busy`; `settings.readsInPlace` can read it, but creates `-wal` and `-shm`.
    public var access: ConnectionAccess = .create
    /// Durability, cache size, cipher settings and how long to wait for a lock.
    public var settings = ConnectionSettings()
    /// Lets queries name paths without an index, at the cost of a scan.
    public var permissivePaths = false
    /// The full-text module for tables created from now on.
    public var fullTextVersion: FullTextVersion = .fts5
    /// Whether the full-text columns of soups that get their first full-text path from now on also have an ordinary
    /// index, as those of Mobile SDK have.
    ///
    /// The index holds every text a third time. Without it entries are stored faster and the file is smaller, which
    /// `soup tune` measures for your documents; but queries of kind exact, range and like, and external ids, on a
    /// full-text path read every entry, and `lookUp` refuses the path. Match queries do not use it. A soup keeps what
    /// it has when it is opened with other options; `alterSoup` changes it.
    public var fullTextIndexes = true
    /// How long a Smart SQL statement may run before it throws `limitExceeded`, because a text may ask for something
    /// that never ends; nil sets no limit.
    public var smartQueryTime: Duration?
    /// The clock that gives the dates of entries.
    public var clock: StoreClock = .system
    /// The number of connections that read at the same time as the writer, opened when they are needed. Each has its
    /// own cache and derives the key from a passphrase again.
    public var maximumReaders = 4
    /// Called after each operation, on the thread that ran it and still holds its connection: it must not call the
    /// store.
    public var events: (@Sendable (StoreEvent) -> Void)?

    /// Creates options with the safe defaults.
    public init(library: SQLiteLibrary, key: Key? = nil) {
        self.library = library
        self.key = key
    }
}
