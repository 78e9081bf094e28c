import Dispatch
import Synchronization

/// Runs asynchronous work on the thread of a call, which waits for it.
///
/// Jobs of the work come back to this thread, so that no thread of the cooperative pool is needed: callers may block
/// all of those.
final class CallingThread<R: Sendable>: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var result: Result<R, any Error>?
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        arrived.signal()
    }

    /// Runs work to its end; returns or throws what it does. `begun` gets the task, to cancel it.
    static func run(
        _ work: @escaping @Sendable () async throws -> R, begun: (Task<Void, Never>) -> Void = { _ in }
    ) throws -> R {
        let thread = CallingThread()
        let task = Task(executorPreference: thread) {
            do {
                thread.end(.success(try await work()))
            } catch {
                thread.end(.failure(error))
            }
        }
        begun(task)
        return try thread.obey().get()
    }

    private func end(_ result: Result<R, any Error>) {
        state.withLock { $0.result = result }
        arrived.signal()
    }

    /// Runs jobs until the work has ended, and every job that has come by then.
    private func obey() -> Result<R, any Error> {
        while true {
            arrived.wait()
            let (job, result) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.result)
            }
            if let job {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let result {
                return result
            }
        }
    }
}
