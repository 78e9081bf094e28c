import CSQLite
import Soups

/// Knows what prevents the statements of a connection from running: a transaction that SQLite has rolled back by
/// itself, a cancelled call, a suspended store, a deadline that has passed.
///
/// Belongs to the connection's thread, like everything of a connection. SQLite's progress handler calls it while
/// statements run; the handler is set only while there is something to check. Source:
/// https://sqlite.org/c3ref/progress_handler.html.
final class CallWatch {
    /// Whether `check` has anything to check but the suspension. Only the connection's thread touches it.
    @exclusivity(unchecked) private var isWatchingCall = false
    /// What suspends the store that the connection belongs to.
    @exclusivity(unchecked) private var suspension: Suspension?
    /// The number of transactions that are open inside each other.
    private(set) var depth = 0
    /// The fault that lost the whole transaction. It stays until the outermost transaction ends.
    private(set) var loss: Fault?
    /// The call that the connection works for, if it can be cancelled.
    private(set) var cancellation: Cancellation?
    /// When statements that still run are ended.
    private(set) var deadline: ContinuousClock.Instant?
    /// Nothing is interrupted while a transaction begins or ends: SQLite calls the handler once more after COMMIT has
    /// done its work, and would report the committed transaction as failed.
    private var isBeginningOrEnding = false
    /// Whether SQLite calls the progress handler.
    private var hasHandler = false
    /// Whether the statement that runs is being interrupted because its store is suspended.
    private var wasStoppedToSuspend = false

    /// Whether `check` has anything to check. Read before every step, so it is cheap.
    var isWatched: Bool { isWatchingCall || isSuspended }

    private var isSuspended: Bool { suspension?.isRequested ?? false }

    /// Steps of SQLite's virtual machine between two checks: well under a millisecond of work.
    private static let steps: Int32 = 10_000

    // MARK: - Transactions

    func enter() { depth += 1 }

    func leave() {
        depth -= 1
        guard depth == 0 else { return }
        loss = nil
        isWatchingCall = cancellation != nil
    }

    /// Begins or ends a transaction or savepoint without being interrupted.
    func beginOrEnd<R, E: Error>(_ work: () throws(E) -> R) throws(E) -> R {
        isBeginningOrEnding = true
        defer { isBeginningOrEnding = false }
        return try work()
    }

    // MARK: - Failures

    /// Throws the fault of a lost transaction, of a cancelled call or of a suspended store. A transaction that meets a
    /// cancellation or a suspension is lost.
    func check() throws(Fault) {
        // Called before every step: what is found here is kept and released only where it is thrown.
        guard loss != nil || cancellation?.isCancelled == true || isSuspended else { return }
        try refuse()
    }

    private func refuse() throws(Fault) {
        if let loss {
            throw loss
        }
        guard !isBeginningOrEnding else { return }
        let fault: Fault
        if let cancellation, cancellation.isCancelled {
            cancellation.notice()
            fault = Self.cancelled
        } else {
            fault = Suspension.fault
        }
        if depth > 0 {
            lose(fault)
        }
        throw fault
    }

    /// Notes that a statement failed, and returns the fault to throw. If the transaction no longer exists, it is marked
    /// as lost.
    func note(_ fault: Fault, isInTransaction: Bool) -> Fault {
        let isInterrupt = fault.resultCode.map { ResultCode(rawValue: $0).primary == SQ_INTERRUPT } ?? false
        // sqlcipher_export turns the interrupt of its own statements into a general error.
        let end = isInterrupt || wasStoppedToSuspend ? endOfInterrupted : nil
        wasStoppedToSuspend = false
        let cause = end ?? fault
        if depth > 0, loss == nil, !isInTransaction || end != nil {
            lose(cause)
        }
        return cause
    }

    /// What an interrupted statement throws; nil if neither a cancellation nor a suspension interrupted it.
    private var endOfInterrupted: Fault? {
        if let cancellation, cancellation.wasNoticed {
            return Self.cancelled
        }
        return wasStoppedToSuspend ? Suspension.fault : nil
    }

    /// Replaces the fault that lost the transaction by the one that the caller is given.
    func rename(_ fault: Fault, to other: Fault) {
        if loss == fault {
            loss = other
        }
    }

    private func lose(_ fault: Fault) {
        loss = fault
        isWatchingCall = true
    }

    static let cancelled = Fault(.closed, "the task of this call was cancelled; its transaction was rolled back")

    // MARK: - Cancellation and time

    /// Watches for another call or another deadline from now on.
    func watch(for cancellation: Cancellation?, until deadline: ContinuousClock.Instant?, _ handle: RawHandle) {
        self.cancellation = cancellation
        self.deadline = deadline
        isWatchingCall = cancellation != nil || loss != nil
        setHandler(handle)
    }

    /// Heeds a suspension from now on.
    func heed(_ suspension: Suspension, _ handle: RawHandle) {
        self.suspension = suspension
        setHandler(handle)
    }

    private func setHandler(_ handle: RawHandle) {
        let isNeeded = cancellation != nil || deadline != nil || suspension != nil
        guard isNeeded != hasHandler else { return }
        hasHandler = isNeeded
        guard isNeeded else {
            return sq_progress_handler(handle.table, handle.database, 0, nil, nil)
        }
        // SQLite holds an unretained pointer: the handle owns this object and closes the database before it releases
        // it.
        sq_progress_handler(
            handle.table, handle.database, Self.steps,
            { context in
                guard let context else {
                    return 0
                }
                return Unmanaged<CallWatch>.fromOpaque(context).takeUnretainedValue().mustStop() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func mustStop() -> Bool {
        if isBeginningOrEnding {
            return false
        }
        if let cancellation, cancellation.isCancelled {
            cancellation.notice()
            return true
        }
        if isSuspended {
            wasStoppedToSuspend = true
            return true
        }
        guard let deadline else { return false }
        return .now >= deadline
    }
}
