import Dispatch
import Soups
import Synchronization

/// Runs asynchronous work for a thread that waits for it.
enum WaitingWork {
    @discardableResult
    static func result<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) throws -> R {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<R, any Error>?>(nil)
        Task {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let outcome = result.withLock({ $0 }) else { throw Fault(.closed, "the work has no result") }
        return try outcome.get()
    }
}
