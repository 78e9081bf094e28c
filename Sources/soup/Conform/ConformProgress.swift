import Conformance
import Synchronization

/// Shows the progress of a run on standard error, once it has taken longer than two seconds. Safe to share between
/// threads.
final class ConformProgress: Sendable {
    private struct State {
        var backend = ""
        var done = 0
        var red = 0
        var next = ContinuousClock.now + .seconds(2)
    }

    private let total: Int
    private let state = Mutex(State())

    /// Takes the number of cases on each back end.
    init(total: Int) { self.total = total }

    func begin(_ backend: String) {
        state.withLock { state in
            state.backend = backend
            (state.done, state.red) = (0, 0)
        }
    }

    func step(_ result: CaseResult) {
        state.withLock { state in
            state.done += 1
            if result.status.isRed {
                state.red += 1
            }
            guard ContinuousClock.now >= state.next else { return }
            state.next = ContinuousClock.now + .seconds(2)
            StandardError.say("conform: \(state.backend): \(state.done) of \(total) cases, \(state.red) red")
        }
    }
}
