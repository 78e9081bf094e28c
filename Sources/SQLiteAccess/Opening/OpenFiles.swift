import Soups
import Synchronization

/// Knows which database files this process has open, and through which library.
///
/// Two rules need it. POSIX drops all of a process's locks on a file when *any* descriptor of that file is closed, so
/// nobody but SQLite may open a database, its -wal, -shm or -journal while there is a connection to it; and each
/// library keeps its own table of locks, so one file in two libraries of one process loses committed rows. Source:
/// https://sqlite.org/howtocorrupt.html, sections 2.2 and 2.2.1.
final class OpenFiles: Sendable {
    static let shared = OpenFiles()

    private struct Use {
        let library: ObjectIdentifier
        let libraryPath: String
        var connections: Int
    }

    private let uses = Mutex<[FileIdentity: Use]>([:])

    /// Notes one more connection to a file, and makes the file where it may and none is there.
    ///
    /// `inspect` runs first, with the lock held, only if no connection of this process has the file: there, and nowhere
    /// else, its bytes may be read.
    func enter(
        _ path: String, library: SQLiteLibrary, create: Bool, inspect: (FileSystem.Status) throws(Fault) -> Void
    ) throws(Fault) -> FileIdentity {
        let outcome: Result<FileIdentity, Fault> = uses.withLock { uses in
            do throws(Fault) {
                if FileSystem.status(of: path) == nil, create {
                    _ = FileSystem.createEmpty(path)
                }
                guard let status = FileSystem.status(of: path) else {
                    throw Self.missing(path, create: create)
                }
                if let use = uses[status.identity] {
                    guard use.library == ObjectIdentifier(library) else {
                        throw Fault(
                            .busy,
                            "the file is open in this process through another SQLite library (\(use.libraryPath)); close it there first"
                        )
                    }
                } else {
                    try inspect(status)
                }
                uses[
                    status.identity,
                    default: Use(library: ObjectIdentifier(library), libraryPath: library.path, connections: 0)
                ].connections += 1
                return .success(status.identity)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func missing(_ path: String, create: Bool) -> Fault {
        create
            ? Fault(.inputOutput, "no file can be made at \(path): is the folder there, and may it be written?")
            : Fault(.storeNotFound, "there is no file \(path)")
    }

    /// Notes that a connection is gone.
    func leave(_ identity: FileIdentity) {
        uses.withLock { uses in
            guard var use = uses[identity] else { return }
            use.connections -= 1
            uses[identity] = use.connections > 0 ? use : nil
        }
    }

    /// Whether this process has a connection to the file at that path.
    func contains(_ path: String) -> Bool {
        guard let status = FileSystem.status(of: path) else { return false }
        return uses.withLock { $0[status.identity] != nil }
    }
}
