import Soups
import Synchronization

/// Asks one run to stop, from any thread.
final class RunControl: Sendable {
    private struct State {
        var isStopRequested = false
        var isCancelled = false
        /// End the waits for requests under way.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// Whether the run must end after the page or batch under way.
    var isStopRequested: Bool { state.withLock { $0.isStopRequested } }

    /// Whether the run must end at once: the request under way is cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Asks the run to stop. The request under way is finished.
    func stop() { state.withLock { $0.isStopRequested = true } }

    /// Asks the run to stop, and cancels the request under way.
    func cancel() {
        let waiters = state.withLock { state in
            state.isStopRequested = true
            state.isCancelled = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters {
            waiter.resume()
        }
    }

    /// Ends the run here if it was asked to stop.
    func check() throws {
        if isStopRequested {
            throw RunStopped()
        }
    }

    /// Whether an error only says that the run was stopped. Transports have errors of their own for a request that was
    /// cancelled, which look like a lost connection.
    func isEnd(_ error: any Error) -> Bool {
        switch error {
        case is RunStopped, is CancellationError: true
        case let fault as Fault: isCancelled && [.noAnswer, .offline].contains(fault.code)
        default: false
        }
    }

    /// Waits until the run is cancelled, or the waiting task.
    func waitForCancellation() async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isCancelled, !Task.isCancelled else { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}

/// Ends a run that was asked to stop. No failure.
struct RunStopped: Error {}
