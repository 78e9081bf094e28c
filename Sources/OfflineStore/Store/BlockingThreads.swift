import Dispatch

/// Runs blocking work for the asynchronous calls on threads of its own, so that waiting for a lock or a disk never starves the cooperative pool.
enum BlockingThreads {
    private static let queue = DispatchQueue(label: "offline-store", attributes: .concurrent)

    static func run<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
