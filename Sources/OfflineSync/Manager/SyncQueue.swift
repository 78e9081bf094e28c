import Synchronization

/// Lets runs take their turns in the order in which they were queued, one at a time.
final class SyncQueue: Sendable {
    private struct State {
        var next = 0
        /// The tickets that have not left; the first one has its turn.
        var tickets: [Int] = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Takes a ticket after all others.
    func enter() -> Int {
        state.withLock { state in
            state.next += 1
            state.tickets.append(state.next)
            return state.next
        }
    }

    /// Waits for the turn of a ticket.
    func turn(of ticket: Int) async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                guard state.tickets.first != ticket else { return true }
                state.waiting[ticket] = continuation
                return false
            }
            if isNow {
                continuation.resume()
            }
        }
    }

    /// The ticket that has its turn; 0 in an empty queue.
    var first: Int { state.withLock { $0.tickets.first ?? 0 } }

    /// Gives a ticket up, whether or not its turn has come.
    func leave(_ ticket: Int) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.tickets.removeAll { $0 == ticket }
            return state.tickets.first.flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume()
    }
}
