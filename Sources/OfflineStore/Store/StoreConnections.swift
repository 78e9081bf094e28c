import SQLiteAccess
import Soups
import Synchronization

/// Holds a store's connections: one that writes, and several that read at the same time, opened when they are first
/// needed.
///
/// `@unchecked Sendable`: the writing session is accessed only by the thread that the gate made the writer, a reading
/// session only by the thread that took it from the list, and all other state (the list, the options, whether it is
/// open) only inside `gate.locked`.
final class StoreConnections: @unchecked Sendable {
    let path: String
    let gate: StoreGate
    /// Where those who watch this file hear of its commits.
    let hub: ChangeHub
    private var currentOptions: StoreOptions
    private var optionsVersion = 0
    /// The options that opened the store last, with the key that the file has: what a failed reopening goes back to.
    private var provenOptions: StoreOptions
    private var writer: StoreSession?
    /// Accessed inside the gate's lock only, which is the proof of exclusive access.
    @exclusivity(unchecked) private var idle: [StoreSession] = []
    @exclusivity(unchecked) private var isOpen = true
    /// How often the connections were closed for another file, key or settings: the versions of schemas begin again
    /// then.
    @exclusivity(unchecked) private var closings = 0
    private var closedOnPurpose = false
    /// Whether a suspended store is being prepared to work again. Inside the gate's lock.
    @exclusivity(unchecked) var isResuming = false
    /// Ends the calls of this store, and refuses further ones, while the app is suspended.
    let suspension = Suspension()
    /// Numbers the commits of this store, for transactions that depend on an earlier read.
    let commits = CommitNumbers()
    /// Whether the writing connection is the only one. Apart from the options, because each reading call asks.
    private let isExclusive: Atomic<Bool>
    private let lastCursorId = Atomic(0)

    init(path: String, options: StoreOptions) {
        self.path = path
        currentOptions = options
        provenOptions = options
        isExclusive = Atomic(Self.isExclusive(options))
        gate = StoreGate(maximumReaders: options.maximumReaders)
        hub = ChangeHubs.shared.hub(of: path)
    }

    /// A store of one connection reads through the one that writes.
    private static func isExclusive(_ options: StoreOptions) -> Bool {
        options.settings.lockingMode == .exclusive && options.access != .readOnly
    }

    /// The options with which connections are opened from now on.
    var options: StoreOptions { gate.locked { currentOptions } }

    /// Runs work on the writing connection; other writers wait. `depth` is 1 for the outermost call of this thread.
    ///
    /// - Parameter isCancellable: False for work that completes a call although its task is cancelled.
    func write<R>(
        isCancellable: Bool = true, _ body: (_ session: StoreSession, _ depth: Int) throws(Fault) -> R
    ) throws(Fault) -> R {
        let depth = gate.enterWriting()
        defer { gate.leaveWriting() }
        let session = try openWriter()
        guard isCancellable, let cancellation = gate.writingCall else {
            // A call that waits to be alone may have lent its turn, and be cancelled now.
            return try session.connection.uncancellable { () throws(Fault) in try body(session, depth) }
        }
        return try session.connection.cancellable(by: cancellation) { () throws(Fault) in try body(session, depth) }
    }

    /// Runs work on a reading connection, or on the writing one if this thread is the writer.
    func read<R>(_ body: (_ session: StoreSession) throws(Fault) -> R) throws(Fault) -> R {
        if isExclusive.load(ordering: .acquiring) {
            return try write { (session, _) throws(Fault) in try body(session) }
        }
        var known: StoreSession?
        var call: Cancellation?
        let isReader = gate.enterReading { cancellation in
            known = idle.popLast()
            call = cancellation
        }
        guard isReader else {
            return try body(openWriter())
        }
        // While this call waited, the store may have been reopened with a single connection. That cannot happen any
        // more, because a store is not reopened while a call reads.
        if isExclusive.load(ordering: .acquiring) {
            gate.leaveReading {}
            return try write { (session, _) throws(Fault) in try body(session) }
        }
        let session: StoreSession
        if let known {
            session = known
        } else {
            do throws(Fault) {
                try requireOpen()
                session = try openReader()
            } catch {
                gate.leaveReading {}
                throw error
            }
        }
        defer { giveBack(session) }
        guard let call else {
            return try body(session)
        }
        return try session.connection.cancellable(by: call) { () throws(Fault) in try body(session) }
    }

    /// Runs blocking work for an asynchronous call, on a thread of its own, once the gate admits it. The task waits
    /// suspended.
    ///
    /// - Throws: what the work throws; `CancellationError` if the task was cancelled before the work was done.
    func perform<R: Sendable>(
        _ access: StoreGate.Access, _ work: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
                submit(access, cancellation, work) { continuation.resume(with: $0) }
            }
        } onCancel: {
            cancellation.cancel()
            gate.withdraw(cancellation)
        }
    }

    /// Runs blocking work as `perform` does, to its end: also if the task is cancelled.
    func performToTheEnd<R: Sendable>(
        _ access: StoreGate.Access, _ work: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
            submit(access, Cancellation(), work) { continuation.resume(with: $0) }
        }
    }

    /// Queues work at the gate, and gives its result to `end` once it is done or was withdrawn.
    private func submit<R: Sendable>(
        _ access: StoreGate.Access, _ cancellation: Cancellation, _ work: @escaping @Sendable () throws -> R,
        _ end: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        let gate = gate
        let access = isExclusive.load(ordering: .acquiring) ? .writing : access
        let call = GateTicket.Call(cancellation: cancellation) { [self] isAdmitted in
            guard isAdmitted else {
                return end(.failure(CancellationError()))
            }
            // The store may have been reopened for one connection while the call waited. A reader that waits for the
            // writer would keep a writer waiting that has to be alone.
            if access == .reading, isExclusive.load(ordering: .acquiring) {
                gate.giveUpReading()
                return submit(.writing, cancellation, work, end)
            }
            BlockingThreads.shared.run {
                end(gate.run(cancellation, for: access) { Self.result(of: work, cancellation) })
            }
        }
        gate.submit(call, for: access)
    }

    private static func result<R>(of work: () throws -> R, _ cancellation: Cancellation) -> Result<R, any Error> {
        if cancellation.isCancelled {
            return .failure(CancellationError())
        }
        do {
            return .success(try work())
        } catch {
            return .failure(cancellation.wasNoticed ? CancellationError() : error)
        }
    }

    /// Runs work that holds the right to read, without a connection yet: `read` inside it gets one.
    func holdingReader<R>(_ work: () throws(Fault) -> R) throws(Fault) -> R {
        if isExclusive.load(ordering: .acquiring) {
            _ = gate.enterWriting()
            defer { gate.leaveWriting() }
            return try work()
        }
        guard gate.enterReading({ _ in }) else {
            return try work()
        }
        if isExclusive.load(ordering: .acquiring) {
            gate.leaveReading {}
            return try holdingReader(work)
        }
        defer { gate.leaveReading {} }
        return try work()
    }

    /// Keeps a reading session for the next reader, unless the store was closed in the meantime.
    private func giveBack(_ session: StoreSession) {
        let isUnwanted = gate.leaveReading {
            if isOpen {
                idle.append(session)
            }
            return !isOpen
        }
        if isUnwanted {
            session.connection.close()
        }
    }

    private func openWriter() throws(Fault) -> StoreSession {
        try requireOpen()
        if let writer {
            return writer
        }
        let options = options
        let connection = try Connection(
            path: path, library: options.library, access: options.access, key: options.key, settings: options.settings)
        let session = newSession(connection, options)
        writer = session
        return session
    }

    func openReader() throws(Fault) -> StoreSession {
        let options = options
        let access: ConnectionAccess = options.access == .readOnly ? .readOnly : .readWrite
        let connection = try Connection(
            path: path, library: options.library, access: access, key: options.key, settings: options.settings)
        return newSession(connection, options)
    }

    private func newSession(_ connection: Connection, _ options: StoreOptions) -> StoreSession {
        connection.heed(suspension)
        return StoreSession(
            connection: connection, options: options, hub: hub, commits: commits, opening: gate.locked { closings })
    }

    /// Closes every connection once they are idle.
    func close() throws(Fault) {
        try withoutConnections(evenIfSuspended: true) { (_) throws(Fault) in
            gate.locked {
                isOpen = false
                closedOnPurpose = true
                suspension.lift()
            }
        }
    }

    /// Closes every connection once they are idle. They open again, with other options, when next needed.
    ///
    /// - Parameter version: That of the options from which the next ones were made.
    /// - Returns: The version of the next options; nil, and nothing is changed, if the options have changed since
    ///   `version`.
    func reopen(with next: StoreOptions, madeFrom version: Int) throws(Fault) -> Int? {
        try withoutConnections { (_) throws(Fault) in
            gate.locked {
                guard version == optionsVersion else { return nil }
                isOpen = true
                closedOnPurpose = false
                set(next)
                return optionsVersion
            }
        }
    }

    /// Notes that the options of a version have opened the store.
    func prove(_ version: Int) {
        gate.locked {
            if version == optionsVersion {
                provenOptions = currentOptions
            }
        }
    }

    /// Closes every connection after a reopening has failed, and goes back to the options that opened the store last.
    /// Does nothing if another call has set options since: that call opens the store, or fails itself.
    func undoReopening(_ version: Int) throws(Fault) {
        try withoutConnections(evenIfSuspended: true) { (_) throws(Fault) in
            gate.locked {
                guard version == optionsVersion else { return }
                // A store that was suspended meanwhile is opened by `resume`.
                isOpen = suspension.isRequested
                set(provenOptions)
            }
        }
    }

    /// Sets the options of connections that are opened from now on. Inside the gate's lock.
    private func set(_ options: StoreOptions) {
        currentOptions = options
        optionsVersion += 1
        gate.maximumReaders = max(1, options.maximumReaders)
        isExclusive.store(Self.isExclusive(options), ordering: .releasing)
    }

    /// Runs work while this store has no connection to its file and no thread may open one.
    ///
    /// - Parameter evenIfSuspended: Whether the work also runs in a suspended store. Other work may open the file.
    func withoutConnections<R>(
        evenIfSuspended: Bool = false, _ body: (_ options: StoreOptions) throws(Fault) -> R
    ) throws(Fault) -> R {
        _ = gate.enterWriting()
        defer { gate.leaveWriting() }
        let refused = Fault(
            .busy,
            "this call needs exclusive access to the store, and cannot run inside a transaction, a reading call or a backup"
        )
        guard !gate.isInsideCall, gate.keepCopiesOut() else {
            throw refused
        }
        defer { gate.letCopiesIn() }
        guard gate.becomeAlone() else {
            throw refused
        }
        if !evenIfSuspended {
            try suspension.check()
        }
        closeSessions()
        commits.forget()
        return try body(options)
    }

    /// Closes every connection. The caller is alone.
    func closeSessions() {
        let sessions = gate.locked {
            let all = idle + (writer.map { [$0] } ?? [])
            idle.removeAll()
            writer = nil
            closings += 1
            return all
        }
        for session in sessions {
            session.connection.close()
        }
    }

    /// Sets another key for the connections opened from now on.
    func change(key: Key?) {
        gate.locked {
            currentOptions.key = key
            provenOptions.key = key
            optionsVersion += 1
        }
    }

    var wasClosed: Bool { gate.locked { closedOnPurpose } }

    /// The options, and the number of changes of them.
    var numberedOptions: (options: StoreOptions, version: Int) { gate.locked { (currentOptions, optionsVersion) } }

    func nextCursorId() -> Int { lastCursorId.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Visits each idle session, as the writer, so that none is taken during the visit.
    func gather<Total>(_ start: Total, _ look: (inout Total, StoreSession) -> Void) -> Total {
        _ = gate.enterWriting()
        defer { gate.leaveWriting() }
        return gate.locked {
            var total = start
            for session in idle + (writer.map { [$0] } ?? []) {
                look(&total, session)
            }
            return total
        }
    }

    func requireOpen() throws(Fault) {
        guard gate.locked({ isOpen }) else {
            throw Self.closed
        }
        try suspension.check()
    }

    /// Whether the store was neither closed nor failed to reopen. A suspended store is open.
    var isOpenOrSuspended: Bool { gate.locked { isOpen } }

    private static let closed = Fault(.closed, "the store is closed")
}
