import Dispatch
import Soups

/// Runs blocking work for the asynchronous calls on threads of its own, so that waiting for a lock or a disk never
/// starves the cooperative pool.
enum BlockingThreads {
    private static let queue = DispatchQueue(label: "offline-store", attributes: .concurrent)

    static func run<R: Sendable>(_ work: @escaping @Sendable () throws(Fault) -> R) async throws(Fault) -> R {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<R, Fault>, Never>) in
            queue.async { continuation.resume(returning: Result { () throws(Fault) in try work() }) }
        }
        return try result.get()
    }
}
