import Platform
import SQLiteAccess

/// Waits in a queue of the gate: a blocked thread, or an asynchronous call, which gets a thread once it is admitted.
///
/// `@unchecked Sendable`: everything that changes is accessed inside the gate's lock only.
final class GateTicket: @unchecked Sendable {
    /// The thread that waits; nil for an asynchronous call.
    let thread: ThreadID?
    /// The asynchronous call that waits; nil for a thread.
    let call: Call?
    var isGranted = false
    private let granted: Condition?

    /// An asynchronous call and how it continues.
    struct Call: Sendable {
        let cancellation: Cancellation
        /// Called once, outside the gate's lock: with true when the call is admitted, with false if it was withdrawn
        /// before.
        let proceed: @Sendable (_ isAdmitted: Bool) -> Void
    }

    init(call: Call) {
        self.call = call
        thread = nil
        granted = nil
    }

    /// A ticket for the calling thread.
    init() {
        call = nil
        thread = .current
        granted = Condition()
    }

    /// Blocks the thread of this ticket until it is granted. The gate's lock is held before and after, not in between.
    func wait(_ lock: borrowing Lock) {
        while !isGranted {
            granted?.wait(lock)
        }
    }

    /// Admits the ticket and wakes its thread. The caller holds the gate's lock.
    func grant() {
        isGranted = true
        granted?.signal()
    }
}
