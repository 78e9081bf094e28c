import Foundation
import Synchronization

/// Runs blocking work of tests on threads of its own, so that it never blocks those of Swift's executor.
public enum Threads {
    /// Runs the work on `count` threads at once and waits until all of them have ended. Throws the first error.
    public static func run(_ count: Int, _ work: @escaping @Sendable (_ thread: Int) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<count {
                group.addTask { try await run { try work(thread) } }
            }
            try await group.waitForAll()
        }
    }

    /// Runs the work on one thread and returns its result.
    public static func run<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
