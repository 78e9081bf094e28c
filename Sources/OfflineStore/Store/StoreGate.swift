#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Decides who may use a store's connections: one writing thread (which may enter again), up to a number of readers
/// beside it, and nobody beside a thread that asked to be alone.
///
/// A monitor over one mutex and one condition. Waiting blocks the thread: the asynchronous calls of a store never wait
/// on the cooperative pool. `@unchecked Sendable`: every access to the state below holds `mutex`.
final class StoreGate: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // The mutex is the proof of exclusive access; the check at run time would cost a reading call more than the mutex
    // does.
    @exclusivity(unchecked) private var writer: pthread_t?
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) private var isAlone = false
    @exclusivity(unchecked) private var readers: [pthread_t] = []
    /// Threads that wait for a change; where there are none nobody need be told.
    @exclusivity(unchecked) private var waiting = 0
    private let maximumReaders: Int

    init(maximumReaders: Int) {
        self.maximumReaders = max(1, maximumReaders)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(changed)
        mutex.deallocate()
        changed.deallocate()
    }

    /// Waits until no other thread writes, then makes the caller the writer. Returns how deep it stands: 1 for the
    /// outermost.
    func enterWriting() -> Int {
        locked {
            let me = pthread_self()
            while let other = writer, pthread_equal(other, me) == 0 {
                wait()
            }
            writer = me
            depth += 1
            return depth
        }
    }

    func leaveWriting() {
        locked {
            depth -= 1
            guard depth == 0 else { return }
            writer = nil
            isAlone = false
            tell()
        }
    }

    /// Waits until the readers have left and keeps new ones out until the writer leaves. False where the caller is
    /// itself one of the readers.
    func becomeAlone() -> Bool {
        locked {
            let me = pthread_self()
            isAlone = true
            while !readers.isEmpty {
                if readers.contains(where: { pthread_equal($0, me) != 0 }) {
                    isAlone = false
                    tell()
                    return false
                }
                wait()
            }
            return true
        }
    }

    /// Lets the caller read. Where it is the writer itself it must read through the writing connection: false then.
    /// Otherwise waits until there is room, and runs `take` under the same lock.
    func enterReading(_ take: () -> Void) -> Bool {
        locked {
            let me = pthread_self()
            if let writer, pthread_equal(writer, me) != 0 {
                return false
            }
            // A thread that reads already goes on, or it would wait for itself.
            while isAlone || readers.count >= maximumReaders, !readers.contains(where: { pthread_equal($0, me) != 0 }) {
                wait()
            }
            readers.append(me)
            take()
            return true
        }
    }

    /// Ends reading; `give` runs under the same lock.
    func leaveReading<R>(_ give: () -> R) -> R {
        locked {
            let me = pthread_self()
            if let last = readers.last, pthread_equal(last, me) != 0 {
                readers.removeLast()
            } else if let place = readers.lastIndex(where: { pthread_equal($0, me) != 0 }) {
                readers.remove(at: place)
            }
            tell()
            return give()
        }
    }

    /// Waits for a change, the lock being given up meanwhile.
    private func wait() {
        waiting += 1
        pthread_cond_wait(changed, mutex)
        waiting -= 1
    }

    private func tell() {
        if waiting > 0 {
            pthread_cond_broadcast(changed)
        }
    }

    /// Runs a short piece of work while nobody else does: for the lists of connections.
    func locked<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
