#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the work of asynchronous calls on threads of its own.
///
/// Swift's cooperative pool has one thread for each processor and must never block; on Linux the queues of Dispatch
/// share those few threads with it. Work is submitted only after the gate of its store has admitted it, so there are
/// never more threads than stores can work at once. A thread without work waits some seconds for more and then ends.
final class BlockingThreads: @unchecked Sendable {
    static let shared = BlockingThreads()

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [@Sendable () -> Void] = []
    private var threads = 0
    private var idleThreads = 0
    /// Seconds that a thread without work waits.
    private static let patience = 5
    /// Deep JSON and long SQL need more stack than some systems give a new thread.
    private static let stackSize = 8 << 20

    private init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrived, nil)
    }

    /// Runs work on a thread that may block. Jobs begin in the order in which they come.
    func run(_ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        jobs.append(job)
        if jobs.count <= idleThreads {
            pthread_cond_signal(arrived)
        } else if startThread() {
            threads += 1
        } else if threads == 0 {
            // The system cannot create a thread. The work runs on the caller's own thread, because otherwise its caller
            // would wait forever.
            _ = jobs.popLast()
            pthread_mutex_unlock(mutex)
            return job()
        }
        pthread_mutex_unlock(mutex)
    }

    private func startThread() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        return pthread_create(
            &thread, &attributes,
            { _ in
                BlockingThreads.shared.work()
                return nil
            }, nil) == 0
    }

    private func work() {
        while let job = next() {
            job()
        }
    }

    /// Waits for work; nil if none came for a while, which ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += Self.patience
        idleThreads += 1
        defer { idleThreads -= 1 }
        while jobs.isEmpty {
            if pthread_cond_timedwait(arrived, mutex, &end) != 0, jobs.isEmpty {
                threads -= 1
                return nil
            }
        }
        return jobs.removeFirst()
    }
}
