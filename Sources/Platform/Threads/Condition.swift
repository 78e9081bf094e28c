import Libc

/// What threads wait for while they hold a `Lock`, which they give up for as long as they wait. Waiting may end for no
/// reason: look again at what is waited for.
package struct Condition: ~Copyable, @unchecked Sendable {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        condition = .allocate(capacity: 1)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes one of the threads that wait.
    package func signal() { pthread_cond_signal(condition) }

    /// Wakes all threads that wait.
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits; the calling thread has the lock before and after.
    package func wait(_ lock: borrowing Lock) { pthread_cond_wait(condition, lock.mutex) }

    /// Waits for at most this number of seconds; false if they are over.
    package func wait(_ lock: borrowing Lock, seconds: Int) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += seconds
        return pthread_cond_timedwait(condition, lock.mutex, &end) == 0
    }
}
