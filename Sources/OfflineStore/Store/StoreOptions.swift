public import SQLiteAccess
public import Soups

/// Says how a store is opened. Every default is the safe one: what is acknowledged survives a power cut, paths must be
/// indexed.
public struct StoreOptions: Sendable {
    /// The library behind the store; the cipher library also opens files without a key.
    public var library: SQLiteLibrary
    /// The key of an encrypted store; nil for a plain one.
    public var key: Key?
    /// `.create` makes a missing file, `.readWrite` refuses it, `.readOnly` inspects: nothing is resumed, and no file
    /// is made, changed or left. A store that another process has open is then `busy`; `settings.readsInPlace` reads it
    /// nevertheless, and makes `-wal` and `-shm`.
    public var access: Connection.Access = .create
    /// Durability, cache size, cipher settings and how long to wait for a lock.
    public var settings = ConnectionSettings()
    /// Lets queries name paths without an index, at the price of a scan.
    public var permissivePaths = false
    /// The module of full-text tables made from now on.
    public var fullTextVersion: FullTextVersion = .fts5
    /// How long a statement made of Smart SQL may run before it ends with `limitExceeded`: a text may ask for what
    /// never ends. nil sets no limit.
    public var smartQueryTime: Duration?
    public var clock: StoreClock = .system
    /// Connections that read beside the writer, opened when they are needed. Each has a cache of its own and pays the
    /// derivation of a passphrase.
    public var maximumReaders = 4
    /// Hears what was run, after it ran, on the thread that ran it, which still has its connection: it must not call
    /// the store.
    public var events: (@Sendable (StoreEvent) -> Void)?

    public init(library: SQLiteLibrary, key: Key? = nil) {
        self.library = library
        self.key = key
    }
}
