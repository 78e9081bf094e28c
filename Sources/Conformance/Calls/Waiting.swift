import Dispatch
import OfflineStore
import Platform
import Soups
import Synchronization

/// A caller that waits for something of a store, on a thread of its own.
final class Waiting<Value: Sendable>: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
        var outcome: Result<Value?, any Error>?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the work, and returns once it waits.
    init(in store: SmartStore, _ work: @escaping @Sendable () async throws -> Value?) throws(Fault) {
        do {
            try DetachedThread.start { [self] in
                let outcome = Result { try CallingThread.run(work, begun: keep) }
                state.withLock { $0.outcome = outcome }
                ended.signal()
            }
        } catch {
            throw Fault(.inputOutput, "no thread can be started for a caller")
        }
        store.letOthersWait { $0.watchers > 0 }
    }

    private func keep(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled {
            task.cancel()
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// What the caller has waited for; nil if it was cancelled.
    func result() throws(Fault) -> Value? {
        ended.wait()
        let (outcome, isCancelled) = state.withLock { ($0.outcome, $0.isCancelled) }
        do {
            return try outcome?.get()
        } catch {
            guard isCancelled else { throw error as? Fault ?? Fault(.closed, "the caller ended with \(error)") }
            return nil
        }
    }
}

extension SmartStore {
    /// Gives other callers time until so many wait, and goes on without them after a second.
    func letOthersWait(until areEnough: ((writers: Int, readers: Int, watchers: Int)) -> Bool) {
        for _ in 0..<1000 where !areEnough(waitingCallers) {
            CurrentThread.sleep(.milliseconds(1))
        }
    }
}
