import SQLiteAccess

/// Runs blocking work that needs no right of a store's gate, such as opening one, on a thread that may block.
enum BlockingCall {
    /// Runs the work to its end. If the task was cancelled by then, the result is given to `undo` and not returned.
    ///
    /// - Throws: what the work throws; `CancellationError`.
    static func run<R: Sendable>(
        _ work: @escaping @Sendable (_ cancellation: Cancellation) throws -> R,
        undo: @escaping @Sendable (R) -> Void = { _ in }
    ) async throws -> R {
        try await onThread { cancellation in result(of: work, undo, cancellation) }
    }

    /// Runs the work to its end, also if the task is cancelled.
    static func runToTheEnd<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
            BlockingThreads.shared.run { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Runs work that looks at the cancellation itself. What it returns counts, also if the task was cancelled by then.
    ///
    /// - Throws: what the work throws; `CancellationError` if the task was cancelled before it began.
    static func runAware<R: Sendable>(
        _ work: @escaping @Sendable (_ cancellation: Cancellation) throws -> R
    ) async throws -> R {
        try await onThread { cancellation in Result { try work(cancellation) } }
    }

    private static func onThread<R: Sendable>(
        _ work: @escaping @Sendable (_ cancellation: Cancellation) -> Result<R, any Error>
    ) async throws -> R {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
                guard !cancellation.isCancelled else {
                    return continuation.resume(throwing: CancellationError())
                }
                BlockingThreads.shared.run { continuation.resume(with: work(cancellation)) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private static func result<R>(
        of work: (Cancellation) throws -> R, _ undo: (R) -> Void, _ cancellation: Cancellation
    ) -> Result<R, any Error> {
        do {
            let result = try work(cancellation)
            guard cancellation.isCancelled else {
                return .success(result)
            }
            undo(result)
            return .failure(CancellationError())
        } catch {
            return .failure(cancellation.isCancelled ? CancellationError() : error)
        }
    }
}
