import Soups
import Synchronization

/// Tells one run that it shall stop, from any thread.
final class RunControl: Sendable {
    private struct State {
        var isStopRequested = false
        var isCancelled = false
        /// Ends the wait for the request under way.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Whether the run shall end after the page or batch under way.
    var isStopRequested: Bool { state.withLock { $0.isStopRequested } }

    /// Asks the run to stop. The request under way is finished.
    func stop() { state.withLock { $0.isStopRequested = true } }

    /// Asks the run to stop, and cancels the request under way.
    func cancel() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isStopRequested = true
            state.isCancelled = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Ends the run here if it was asked to stop.
    func check() throws {
        if isStopRequested {
            throw RunStopped()
        }
    }

    /// Waits until the run is cancelled, or the waiting task.
    func waitForCancellation() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isCancelled, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}

/// Ends a run that was asked to stop. No failure.
struct RunStopped: Error {}
