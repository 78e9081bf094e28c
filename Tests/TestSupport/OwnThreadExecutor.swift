import Foundation

/// Runs a task on threads of its own, for work that blocks: it never occupies the cooperative pool, which what it waits
/// for may need.
///
/// Unlike the work of an `OwnThread`, the work stays in its test, so that what it expects is reported there.
public final class OwnThreadExecutor: TaskExecutor {
    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Runs blocking work.
    public static func run<R: Sendable>(_ work: @Sendable () throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(OwnThreadExecutor()) { try work() }
    }
}
