import SQLiteAccess

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Waits in a queue of the gate: a blocked thread, or an asynchronous call, which gets a thread once it is admitted.
///
/// `@unchecked Sendable`: everything that changes is accessed inside the gate's lock only.
final class GateTicket: @unchecked Sendable {
    /// The thread that waits; nil for an asynchronous call.
    let thread: pthread_t?
    /// The asynchronous call that waits; nil for a thread.
    let call: Call?
    var isGranted = false
    private let granted: UnsafeMutablePointer<pthread_cond_t>?

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
        thread = pthread_self()
        let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        pthread_cond_init(condition, nil)
        granted = condition
    }

    deinit {
        guard let granted else { return }
        pthread_cond_destroy(granted)
        granted.deallocate()
    }

    /// Blocks the thread of this ticket until it is granted. The gate's lock is held before and after, not in between.
    func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        guard let granted else { return }
        while !isGranted {
            pthread_cond_wait(granted, mutex)
        }
    }

    /// Admits the ticket and wakes its thread. The caller holds the gate's lock.
    func grant() {
        isGranted = true
        if let granted {
            pthread_cond_signal(granted)
        }
    }
}
