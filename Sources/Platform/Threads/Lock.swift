public import Libc

/// A lock that one thread has at a time, and whose holder can wait for a `Condition`. Where nothing is waited for, the
/// `Mutex` of Synchronization does.
///
/// The type must be usable from inlined code: without that, its work is a closure that is called through thunks, which
/// take longer than the lock.
@usableFromInline package struct Lock: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs work while no other thread has the lock.
    @inlinable
    package borrowing func locked<R, E: Error>(_ work: () throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try work()
    }
}
