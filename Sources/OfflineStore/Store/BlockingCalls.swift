import SQLiteAccess

/// Runs blocking work that belongs to no open store on a thread of its own.
enum BlockingCalls {
    /// Runs the work. It can look at whether the task was cancelled.
    ///
    /// - Throws: what the work throws; `CancellationError` if the task was cancelled before it began.
    static func run<R: Sendable>(_ work: @escaping @Sendable (Cancellation) throws -> R) async throws -> R {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
                BlockingThreads.shared.run { continuation.resume(with: Result { try work(cancellation) }) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
