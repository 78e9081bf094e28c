import Synchronization

/// Holds what one consumer of changes does not know yet: one merged change, whatever the number of commits.
final class KeyValueWatch: Sendable {
    private struct State {
        var unknown: KeyValueChange?
        var waiting: CheckedContinuation<KeyValueChange?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func tell(_ change: KeyValueChange) {
        let waiting = state.withLock { state -> CheckedContinuation<KeyValueChange?, Never>? in
            guard !state.isOver else { return nil }
            guard let waiting = state.waiting else {
                state.unknown = state.unknown?.merged(with: change) ?? change
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: change)
    }

    /// Ends the sequence: what is known by then is still given.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// Takes what is known, without waiting.
    func take() -> KeyValueChange? {
        state.withLock { state in
            defer { state.unknown = nil }
            return state.unknown
        }
    }

    /// Waits for a change; nil at the end, and when the task is cancelled.
    func next() async -> KeyValueChange? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> KeyValueChange?? in
                    if let unknown = state.unknown {
                        state.unknown = nil
                        return .some(unknown)
                    }
                    if state.isOver {
                        return .some(nil)
                    }
                    state.waiting = continuation
                    return nil
                }
                if let answer {
                    continuation.resume(returning: answer)
                }
            }
        } onCancel: {
            end()
        }
    }
}
