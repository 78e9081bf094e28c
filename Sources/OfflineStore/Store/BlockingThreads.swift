import Platform

/// Runs the work of asynchronous calls on threads of its own.
///
/// Swift's cooperative pool has one thread for each processor and must never block; on Linux the queues of Dispatch
/// share those few threads with it. Work is submitted only after the gate of its store has admitted it, so there are
/// never more threads than stores can work at once. A thread without work waits some seconds for more and then ends.
///
/// `@unchecked Sendable`: every access to the state below holds `lock`.
final class BlockingThreads: @unchecked Sendable {
    static let shared = BlockingThreads()

    private let lock = Lock()
    private let arrived = Condition()
    private var jobs: [@Sendable () -> Void] = []
    private var threads = 0
    private var idleThreads = 0
    /// Seconds that a thread without work waits.
    private static let patience = 5

    private init() {}

    /// Runs work on a thread that may block. Jobs begin in the order in which they come.
    func run(_ job: @escaping @Sendable () -> Void) {
        let isTaken = lock.locked {
            jobs.append(job)
            if jobs.count <= idleThreads {
                arrived.signal()
            } else if startThread() {
                threads += 1
            } else if threads == 0 {
                // The system cannot create a thread. The work runs on the caller's own thread, because otherwise its
                // caller would wait forever.
                _ = jobs.popLast()
                return false
            }
            return true
        }
        if !isTaken {
            job()
        }
    }

    private func startThread() -> Bool {
        (try? DetachedThread.start { BlockingThreads.shared.work() }) != nil
    }

    private func work() {
        while let job = next() {
            job()
        }
    }

    /// Waits for work; nil if none came for a while, which ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        lock.locked {
            idleThreads += 1
            defer { idleThreads -= 1 }
            while jobs.isEmpty {
                if !arrived.wait(lock, seconds: Self.patience), jobs.isEmpty {
                    threads -= 1
                    return nil
                }
            }
            return jobs.removeFirst()
        }
    }
}
