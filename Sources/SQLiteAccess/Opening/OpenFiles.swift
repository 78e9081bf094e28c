import Platform
import Soups

/// Knows which database files this process has open, and through which library.
///
/// Two rules need it. POSIX drops all of a process's locks on a file when *any* descriptor of that file is closed, so
/// only SQLite may open a database, its -wal, -shm or -journal while there is a connection to it. And each library
/// keeps its own table of locks, so one file in two libraries of one process loses committed rows. Source:
/// https://sqlite.org/howtocorrupt.html, sections 2.2 and 2.2.1.
///
/// A file without a connection is examined by one thread at a time; others that want the same file wait for it.
/// Openings of different files do not wait for each other.
final class OpenFiles: Sendable {
    static let shared = OpenFiles()

    private struct Use {
        let library: ObjectIdentifier
        let libraryPath: String
        /// The number of connections that are open, being opened or being closed, by the name under which each was
        /// opened.
        var names: [ByteKey: Int]
        /// The number of connections that are open. While there is one, the system gives the number of the file to no
        /// other file.
        var openConnections = 0
        /// Set if the connections read the files as they are, without locks.
        let frozen: FrozenFiles?
    }

    /// What this process has open, by the identity of the files and by the names under which they were opened.
    private struct State {
        var uses: [FileIdentity: Use] = [:]
        var names: [ByteKey: (identity: FileIdentity, connections: Int)] = [:]
        /// The files without a connection of which a thread has a descriptor.
        var examined: Set<FileIdentity> = []

        mutating func add(_ name: ByteKey, _ identity: FileIdentity) {
            names[name] = (identity, (names[name]?.connections ?? 0) + 1)
        }

        mutating func remove(_ name: ByteKey, _ identity: FileIdentity) {
            // A file that is gone may have left its number to another one.
            if var use = uses[identity], let count = use.names[name] {
                use.names[name] = count > 1 ? count - 1 : nil
                uses[identity] = use.names.isEmpty ? nil : use
            }
            if let known = names[name] {
                names[name] = known.connections > 1 ? (known.identity, known.connections - 1) : nil
            }
        }
    }

    /// How a connection comes to a file.
    private enum Entry {
        case joined(FileIdentity, FrozenFiles?)
        /// No connection has the file: the caller has to examine it.
        case first(FileStatus)
    }

    private let state = Monitor(State())

    /// Registers one more connection to a file, and creates the file if that is allowed and it does not exist. The path
    /// has no symbolic links. Afterwards call `opened`, or `withdraw` if the connection cannot be opened.
    ///
    /// `inspect` runs first, and only if this process has no connection to the file: nowhere else may its bytes be
    /// read. It decides whether the file is read as it is. A later connection follows the first one, because reading
    /// with locks and reading without them cannot be mixed.
    ///
    /// - Parameter readsOnly: Whether reading the files as they are would do for the connection.
    /// - Throws: `storeNotFound` if the file does not exist, or is another one than this process has open under that
    ///   name; `busy`, `inputOutput`; what `inspect` throws.
    func enter(
        _ path: String, library: SQLiteLibrary, create: Bool, readsOnly: Bool,
        inspect: (FileStatus) throws(Fault) -> FrozenFiles?
    ) throws(Fault) -> (identity: FileIdentity, frozen: FrozenFiles?) {
        let name = ByteKey(path)
        let entry = try state.wait { (state) throws(Fault) -> Entry? in
            let status = try Self.status(of: path, create: create, in: state)
            let identity = status.identity
            guard !state.examined.contains(identity) else { return nil }
            if let use = state.uses[identity], !Self.isGone(use, status, path) {
                // Without an open connection, and under another name, it may be a new file with the number of an old
                // one: that shows when the other connection is open or gone.
                guard use.openConnections > 0 || use.names[name] != nil else { return nil }
                let frozen = try Self.join(use, path, status, library: library, readsOnly: readsOnly)
                state.uses[identity]?.names[name, default: 0] += 1
                state.add(name, identity)
                return .joined(identity, frozen)
            }
            state.examined.insert(identity)
            return .first(status)
        }
        switch entry {
        case .joined(let identity, let frozen): return (identity, frozen)
        case .first(let status):
            let result = Result { () throws(Fault) in try inspect(status) }
            return try state.change { (state) throws(Fault) in
                state.examined.remove(status.identity)
                let frozen = try result.get()
                // Another thread may have opened another file under this name by now.
                try Self.requireKnownFile(path, status.identity, in: state)
                state.uses[status.identity] = Use(
                    library: ObjectIdentifier(library), libraryPath: library.path, names: [name: 1], frozen: frozen)
                state.add(name, status.identity)
                return (status.identity, frozen)
            }
        }
    }

    /// The status of the file that a path leads to now.
    private static func status(of path: String, create: Bool, in state: State) throws(Fault) -> FileStatus {
        try requireKnownFile(path, FileStatus(of: path)?.identity, in: state)
        if FileStatus(of: path) == nil, create {
            try? File.create(path)
        }
        guard let status = FileStatus(of: path) else {
            throw missing(path, create: create)
        }
        return status
    }

    /// Checks that this process has no other file open under that name. The -wal of a lost file still has its name: a
    /// new connection would use it for the new file.
    private static func requireKnownFile(
        _ path: String, _ identity: FileIdentity?, in state: State
    ) throws(Fault) {
        if let known = state.names[ByteKey(path)], known.identity != identity {
            throw Fault.lostFile(path)
        }
    }

    /// Whether a file that is only read was removed before its connection opened it, so that the system gave its number
    /// to the file at the path. A file that was only renamed still has its size and the date of its last change.
    private static func isGone(_ use: Use, _ status: FileStatus, _ path: String) -> Bool {
        guard use.openConnections == 0, let frozen = use.frozen, use.names.count == 1, use.names[ByteKey(path)] == nil
        else {
            return false
        }
        return FileStatus(of: frozen.path)?.identity != status.identity && !frozen.began(as: status)
    }

    /// Checks that a file which this process has open may be opened once more, under the same name or another one.
    ///
    /// - Returns: The files as the new connection reads them; nil if it uses locks.
    private static func join(
        _ use: Use, _ path: String, _ status: FileStatus, library: SQLiteLibrary, readsOnly: Bool
    ) throws(Fault) -> FrozenFiles? {
        guard use.library == ObjectIdentifier(library) else {
            throw Fault(
                .busy,
                "the file is open in this process through another SQLite library (\(use.libraryPath)); close it there first"
            )
        }
        guard let frozen = use.frozen else {
            // SQLite finds a -wal by the name, and each name would have its own.
            guard use.names[ByteKey(path)] != nil else {
                throw Fault(
                    .busy,
                    "this process has the same file open under another name: close it there first, or open it by that name"
                )
            }
            return nil
        }
        guard readsOnly else {
            throw Fault(
                .busy,
                "this process has \(frozen.path) open for reading only: close it first, or open it with `readsInPlace`")
        }
        if ByteKey(frozen.path) == ByteKey(path) {
            try frozen.requireUnchanged()
            return frozen
        }
        // The other name may be gone at any moment, as that of a backup which is being made. To examine the file is
        // safe: no connection to it has a lock that could be dropped.
        guard frozen.began(as: status) else {
            throw .changedWhileRead(path)
        }
        let own = FrozenFiles(path: path, status: status)
        try own.requireQuiet()
        return own
    }

    private static func missing(_ path: String, create: Bool) -> Fault {
        create
            ? Fault(.inputOutput, "cannot create the file \(path): check that its folder exists and is writable")
            : Fault(.storeNotFound, "the file \(path) does not exist")
    }

    /// Notes that a connection that was registered is open now.
    func opened(_ identity: FileIdentity) {
        state.change { $0.uses[identity]?.openConnections += 1 }
    }

    /// Notes that a connection that was registered is not opened.
    func withdraw(_ identity: FileIdentity, path: String) {
        state.change { $0.remove(ByteKey(path), identity) }
    }

    /// Closes an open connection, and notes that it is gone.
    func leave(_ identity: FileIdentity, path: String, closing close: () -> Void) {
        // The number of a removed file is free as soon as its last descriptor is closed.
        state.locked { $0.uses[identity]?.openConnections -= 1 }
        close()
        withdraw(identity, path: path)
    }

    /// Whether this process has a connection to the file at that path.
    func contains(_ path: String) -> Bool {
        guard let status = FileStatus(of: path) else { return false }
        return state.locked { $0.uses[status.identity] != nil }
    }

    /// Runs work on a file that no connection of any process has open; threads of this process that want to open it
    /// wait.
    ///
    /// - Throws: `busy`, `storeNotFound`; what the work throws.
    func whileClosed<R>(_ path: String, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let identity = try state.wait { (state) throws(Fault) -> FileIdentity? in
            guard let identity = FileStatus(of: path)?.identity else {
                throw Self.missing(path, create: false)
            }
            guard !state.examined.contains(identity) else { return nil }
            guard state.uses[identity] == nil else {
                throw Fault(.busy, "this process has \(path) open: close it first")
            }
            state.examined.insert(identity)
            return identity
        }
        defer { state.change { _ = $0.examined.remove(identity) } }
        if let process = FileLocks.holder(of: path) {
            let who = process > 0 ? "process \(process)" : "another process"
            throw Fault(.busy, "\(who) has \(path) open: close it there first")
        }
        return try work()
    }

    /// Whether no process has the file at that path open, as far as its locks say.
    func isFree(_ path: String) -> Bool {
        let answer = state.wait { (state) -> (isUsed: Bool, examined: FileIdentity?)? in
            guard let identity = FileStatus(of: path)?.identity else {
                return (false, nil)
            }
            guard !state.examined.contains(identity) else { return nil }
            guard state.uses[identity] == nil else {
                return (true, nil)
            }
            state.examined.insert(identity)
            return (false, identity)
        }
        guard let identity = answer.examined else {
            return !answer.isUsed
        }
        defer { state.change { _ = $0.examined.remove(identity) } }
        return !FileLocks.isHeldElsewhere(path)
    }
}
