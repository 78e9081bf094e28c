import Synchronization

/// Renews the session of a transport, once for all requests that need it.
final class Renewals: Sendable {
    private struct State {
        /// The number of refreshes that have ended.
        var ended = 0
        /// How the last of them ended.
        var outcome: Result<Void, any Error> = .success(())
        var isRunning = false
        /// The tasks that wait for the refresh under way.
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var waiterCount = 0
    }

    private let refresh: @Sendable () async throws -> Void
    private let state = Mutex(State())

    init(_ refresh: @escaping @Sendable () async throws -> Void) { self.refresh = refresh }

    /// The number of the session, to be given to `renew`. Waits for a refresh that is under way, and throws what it
    /// throws.
    func current() async throws -> Int {
        while state.withLock({ $0.isRunning }) {
            try await wait()
        }
        return state.withLock { $0.ended }
    }

    /// Renews the session, unless that was tried since the caller asked for its number. Throws what the refresh throws.
    func renew(_ session: Int) async throws {
        let isFirst = state.withLock { state in
            guard !state.isRunning, state.ended == session else { return false }
            state.isRunning = true
            return true
        }
        if isFirst {
            // A task of its own: the caller may be cancelled, and others wait for the refresh.
            Task { end(await outcome()) }
        }
        try await wait()
    }

    private func outcome() async -> Result<Void, any Error> {
        do {
            return .success(try await refresh())
        } catch {
            return .failure(error)
        }
    }

    private func end(_ outcome: Result<Void, any Error>) {
        let waiters = state.withLock { state in
            state.ended += 1
            state.outcome = outcome
            state.isRunning = false
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters {
            waiter.resume(with: outcome)
        }
    }

    /// Waits for the refresh under way; if it has ended, for nothing. A cancelled task stops waiting.
    private func wait() async throws {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled {
                        return .failure(TransportFailure.cancelled)
                    }
                    guard state.isRunning else {
                        return state.outcome
                    }
                    state.waiters[id] = waiter
                    return nil
                }
                if let outcome {
                    waiter.resume(with: outcome)
                }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(throwing: TransportFailure.cancelled)
        }
    }
}
