import Foundation
import Synchronization

/// Runs blocking work of a test on a thread of its own, so that it does not occupy the cooperative pool.
public struct OwnThread: Sendable {
    private let result: Outcome

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
        let isDone = Atomic(false)
    }

    public init(_ work: @escaping @Sendable () throws -> Void) {
        let outcome = Outcome()
        result = outcome
        Thread.detachNewThread {
            do {
                try work()
            } catch {
                outcome.error.withLock { $0 = error }
            }
            outcome.isDone.store(true, ordering: .releasing)
        }
    }

    /// Waits for the end of the work without blocking the pool, and throws what it threw.
    public func value() async throws {
        while !result.isDone.load(ordering: .acquiring) {
            try await Task.sleep(for: .milliseconds(1))
        }
        if let error = result.error.withLock({ $0 }) {
            throw error
        }
    }
}

/// A flag that one thread raises and others wait for.
public final class Signal: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public func raise() { flag.store(true, ordering: .releasing) }
    public var isRaised: Bool { flag.load(ordering: .acquiring) }

    /// Blocks the calling thread, which must not be one of the cooperative pool.
    public func block() {
        while !isRaised {
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    /// Waits without blocking a thread.
    public func wait() async throws {
        while !isRaised {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
