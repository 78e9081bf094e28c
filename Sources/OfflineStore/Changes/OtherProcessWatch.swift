import Platform
import SQLiteAccess
import Soups

/// Asks a file whether other connections have committed, as long as there is a watcher.
///
/// `PRAGMA data_version` of one connection changes with the commits of all others and not with its own. The connection
/// is the writing one of an open store, asked in its gate: between its transactions.
///
/// `@unchecked Sendable`: every access to the state below holds `lock`.
final class OtherProcessWatch: @unchecked Sendable {
    private struct Watching {
        weak var connections: StoreConnections?
        let interval: Duration
    }

    private let path: String
    private let lock = Lock()
    @exclusivity(unchecked) private var watching: [ObjectIdentifier: Watching] = [:]
    /// The connection that was asked last; another one's answers cannot be compared with its own.
    @exclusivity(unchecked) private weak var session: StoreSession?
    /// What it answered; nil before the first answer.
    @exclusivity(unchecked) private var version: Int64?
    /// What wakes the thread that asks; nil if there is no such thread.
    @exclusivity(unchecked) private var files: FileWatch?

    /// - Parameter path: That of the database file.
    init(path: String) { self.path = path }

    /// Asks in the interval of a watcher from now on.
    func add(_ watcher: ChangeWatcher, of connections: StoreConnections, at hub: ChangeHub) {
        guard let interval = watcher.otherProcesses.interval else { return }
        let starts = lock.locked {
            watching[ObjectIdentifier(watcher)] = Watching(connections: connections, interval: interval)
            files?.wake()
            guard files == nil else { return false }
            files = try? FileWatch(path + "-wal")
            return files != nil
        }
        guard starts, let files = lock.locked({ files }) else { return }
        do {
            try DetachedThread.start { hub.others.askAgain(files, hub) }
        } catch {
            lock.locked { self.files = nil }
        }
    }

    func remove(_ watcher: ChangeWatcher) {
        lock.locked {
            guard watching.removeValue(forKey: ObjectIdentifier(watcher)) != nil, watching.isEmpty else { return }
            files?.wake()
        }
    }

    /// Asks now. The first answer of a connection, and one that differs from the last, count as a change.
    ///
    /// - Returns: Whether there was a change.
    @discardableResult
    func ask(_ connections: StoreConnections, tellingFirst: Bool, at hub: ChangeHub) -> Bool {
        // An answer that cannot be had now is had later: the last one stays.
        let hasChanged = try? connections.write { (session, _) throws(Fault) in
            guard let now = try session.connection.integer("PRAGMA data_version") else { return false }
            let isChange = lock.locked {
                let isSame = self.session === session && version == now
                let isFirst = version == nil
                self.session = session
                version = now
                return !isSame && (tellingFirst || !isFirst)
            }
            guard isChange else { return false }
            let names = (try? SoupReading.names(in: session.connection)) ?? []
            hub.publishAnything(.otherProcess, registered: names) { $0.otherProcesses.interval != nil }
            return true
        }
        return hasChanged ?? false
    }

    /// Whether there is a thread that asks. For tests.
    var isAsking: Bool { lock.locked { files != nil } }

    // MARK: - The thread

    /// How long after the first write to the -wal the thread asks: a commit can be seen only some time after it.
    private static let pauses: [Int] = [1, 2, 4, 8, 16, 32]

    private func askAgain(_ files: FileWatch, _ hub: ChangeHub) {
        while let interval = shortestInterval() {
            let wasWritten = files.wait(interval)
            guard let connections = openConnections() else { continue }
            guard wasWritten else {
                ask(connections, tellingFirst: true, at: hub)
                continue
            }
            for pause in Self.pauses {
                CurrentThread.sleep(.milliseconds(pause))
                files.forget()
                if ask(connections, tellingFirst: true, at: hub) {
                    break
                }
            }
        }
    }

    /// The time until the next question; nil when no watcher is left, which ends the thread.
    private func shortestInterval() -> Duration? {
        lock.locked {
            guard let shortest = watching.values.map(\.interval).min() else {
                files = nil
                session = nil
                version = nil
                return nil
            }
            return shortest
        }
    }

    /// The connections of an open store: those asked last, if they are open.
    private func openConnections() -> StoreConnections? {
        lock.locked { watching.values.compactMap(\.connections) }
            .filter { !$0.wasClosed }
            .min { ObjectIdentifier($0) < ObjectIdentifier($1) }
    }
}
