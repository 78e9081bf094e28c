import CSQLite
import Platform
public import Soups

/// Owns one open connection to a database through one SQLite library.
///
/// A connection and its statements belong to one thread at a time: protect a shared one with a lock. Statements are
/// prepared once and cached by the bytes of their text. Source: https://sqlite.org/threadsafe.html (multi-thread mode).
public final class Connection {
    /// The file itself: absolute, without symbolic links, as it was when the connection was opened.
    public let path: String
    public let library: SQLiteLibrary
    public let access: ConnectionAccess
    let handle: RawHandle
    let statements: StatementCache
    let identity: FileIdentity?
    /// Set if the files are read as they are.
    let frozen: FrozenFiles?
    /// The path of the -wal.
    let logPath: String
    var log = Log.unknown
    private(set) var isOpen = true

    /// Opens a database file. Symbolic links are followed once: the file they lead to is the one that is opened, locked
    /// and known to this process.
    ///
    /// Nothing is written to a file that turns out to be the wrong one or to need another key.
    ///
    /// - Throws: `storeNotFound` (the file does not exist and may not be created, or the file that this process has
    ///   open under that path was removed or replaced), `keyMissing`, `notEncrypted`, `notADatabase`, `wrongKey`,
    ///   `encryptionUnavailable`, `corrupt`, `readOnly`, `busy`, `inputOutput`, `invalidArguments` (settings that no
    ///   file can have).
    public init(
        path: String, library: SQLiteLibrary, access: ConnectionAccess = .create, key: Key? = nil,
        settings: ConnectionSettings = ConnectionSettings()
    ) throws(Fault) {
        if key != nil, !library.capabilities.encryption {
            throw Fault(
                .encryptionUnavailable,
                "\(library.path) cannot encrypt: use a SQLCipher library to open with a key")
        }
        let path = try DatabasePath.resolve(path)
        try settings.check(isKeyed: key != nil)
        self.path = path
        logPath = path + "-wal"
        self.library = library
        self.access = access
        let opened = try Self.open(path, library: library, access: access, key: key, settings: settings)
        (handle, identity, frozen) = (opened.handle, opened.identity, opened.frozen)
        statements = StatementCache()
    }

    /// Opens a database in memory, which lives as long as the connection.
    public init(inMemory library: SQLiteLibrary) throws(Fault) {
        path = ":memory:"
        logPath = ""
        self.library = library
        access = .create
        identity = nil
        frozen = nil
        handle = try RawHandle(path: ":memory:", library: library, flags: SQ_OPEN_READWRITE | SQ_OPEN_CREATE)
        statements = StatementCache()
    }

    deinit { close() }

    /// Closes the connection. The last connection of a file writes the -wal back into it, and never into a file that
    /// has replaced it. Closing twice does nothing.
    public func close() {
        guard isOpen else { return }
        statements.removeAll()
        if access != .readOnly, hasLostItsFile {
            settleLog()
        }
        isOpen = false
        guard let identity else {
            return handle.close()
        }
        OpenFiles.shared.leave(identity, path: path) { handle.close() }
    }

    func requireOpen() throws(Fault) {
        if !isOpen {
            throw Fault(.closed, "the connection to \(path) is closed")
        }
    }
}
