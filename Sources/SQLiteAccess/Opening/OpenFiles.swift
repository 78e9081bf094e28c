import Platform
import Soups
import Synchronization

/// Knows which database files this process has open, and through which library.
///
/// Two rules need it. POSIX drops all of a process's locks on a file when *any* descriptor of that file is closed, so
/// only SQLite may open a database, its -wal, -shm or -journal while there is a connection to it. And each library
/// keeps its own table of locks, so one file in two libraries of one process loses committed rows. Source:
/// https://sqlite.org/howtocorrupt.html, sections 2.2 and 2.2.1.
final class OpenFiles: Sendable {
    static let shared = OpenFiles()

    private struct Use {
        let library: ObjectIdentifier
        let libraryPath: String
        var connections: Int
        /// The number of connections by the name under which each was opened.
        var names: [ByteKey: Int] = [:]
        /// Set if the connections read the files as they are, without locks.
        let frozen: FrozenFiles?
    }

    /// What this process has open, by the identity of the files and by the names under which they were opened.
    private struct State {
        var uses: [FileIdentity: Use] = [:]
        var names: [ByteKey: (identity: FileIdentity, connections: Int)] = [:]
    }

    private let state = Mutex(State())

    /// Registers one more connection to a file, and creates the file if that is allowed and it does not exist. The path
    /// has no symbolic links.
    ///
    /// `inspect` runs first, with the lock held, and only if this process has no connection to the file: nowhere else
    /// may its bytes be read. It decides whether the file is read as it is. A later connection follows the first one,
    /// because reading with locks and reading without them cannot be mixed.
    ///
    /// - Parameter readsOnly: Whether reading the files as they are would do for the connection.
    /// - Throws: `storeNotFound` if the file does not exist, or is another one than this process has open under that
    ///   name; `busy`, `inputOutput`.
    func enter(
        _ path: String, library: SQLiteLibrary, create: Bool, readsOnly: Bool,
        inspect: (FileStatus) throws(Fault) -> FrozenFiles?
    ) throws(Fault) -> (identity: FileIdentity, frozen: FrozenFiles?) {
        let name = ByteKey(path)
        let outcome: Result<(identity: FileIdentity, frozen: FrozenFiles?), Fault> = state.withLock { state in
            do throws(Fault) {
                let known = state.names[name]
                // The -wal of the lost file still has its name: a new connection would use it for the new file.
                if let known, FileStatus(of: path)?.identity != known.identity {
                    throw Fault.lostFile(path)
                }
                if FileStatus(of: path) == nil, create {
                    try? File.create(path)
                }
                guard let status = FileStatus(of: path) else {
                    throw Self.missing(path, create: create)
                }
                let identity = status.identity
                if let use = state.uses[identity], !Self.isGone(use, status, path) {
                    guard use.library == ObjectIdentifier(library) else {
                        throw Fault(
                            .busy,
                            "the file is open in this process through another SQLite library (\(use.libraryPath)); close it there first"
                        )
                    }
                    if let frozen = use.frozen {
                        try Self.join(frozen, readsOnly: readsOnly)
                    }
                } else {
                    let frozen = try inspect(status)
                    state.uses[identity] = Use(
                        library: ObjectIdentifier(library), libraryPath: library.path, connections: 0, frozen: frozen)
                }
                state.uses[identity]?.connections += 1
                state.uses[identity]?.names[name, default: 0] += 1
                state.names[name] = (identity, (known?.connections ?? 0) + 1)
                return .success((identity, state.uses[identity]?.frozen))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Whether a file that is only read was removed before its connection opened it, so that the system gave its number
    /// to the file at the path. A file that was only renamed still has its size and the date of its last change.
    private static func isGone(_ use: Use, _ status: FileStatus, _ path: String) -> Bool {
        guard let frozen = use.frozen, use.names.count == 1, ByteKey(frozen.path) != ByteKey(path) else {
            return false
        }
        return FileStatus(of: frozen.path)?.identity != status.identity && !frozen.began(as: status)
    }

    private static func join(_ frozen: FrozenFiles, readsOnly: Bool) throws(Fault) {
        guard readsOnly else {
            throw Fault(
                .busy,
                "this process has \(frozen.path) open for reading only: close it first, or open it with `readsInPlace`")
        }
        try frozen.requireUnchanged()
    }

    private static func missing(_ path: String, create: Bool) -> Fault {
        create
            ? Fault(.inputOutput, "cannot create the file \(path): check that its folder exists and is writable")
            : Fault(.storeNotFound, "the file \(path) does not exist")
    }

    /// Notes that a connection was closed.
    func leave(_ identity: FileIdentity, path: String) {
        let name = ByteKey(path)
        state.withLock { state in
            // A file that is gone may have left its number to another one.
            if var use = state.uses[identity], let count = use.names[name] {
                use.names[name] = count > 1 ? count - 1 : nil
                use.connections -= 1
                state.uses[identity] = use.connections > 0 ? use : nil
            }
            if var known = state.names[name] {
                known.connections -= 1
                state.names[name] = known.connections > 0 ? known : nil
            }
        }
    }

    /// Whether this process has a connection to the file at that path.
    func contains(_ path: String) -> Bool {
        guard let status = FileStatus(of: path) else { return false }
        return state.withLock { $0.uses[status.identity] != nil }
    }

    /// Whether no process has the file at that path open, as far as its locks say.
    func isFree(_ path: String) -> Bool {
        state.withLock { state in
            guard let status = FileStatus(of: path) else { return true }
            return state.uses[status.identity] == nil && !FileLocks.isHeldElsewhere(path)
        }
    }
}
