import Foundation
import Synchronization

/// Runs blocking work of a test on a thread of its own, so that it never occupies the cooperative pool.
public final class OwnThread<R: Sendable>: Sendable {
    private struct State {
        var result: Result<R, any Error>?
        var waiting: [CheckedContinuation<Result<R, any Error>, Never>] = []
    }

    private let state = Mutex(State())

    public init(_ work: @escaping @Sendable () throws -> R) {
        let thread = Thread { [self] in end(Result { try work() }) }
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func end(_ result: Result<R, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            return state.waiting
        }
        for continuation in waiting {
            continuation.resume(returning: result)
        }
    }

    public var hasEnded: Bool { state.withLock { $0.result != nil } }

    /// Waits for the end of the work without blocking a thread. Returns what the work returned, or throws what it
    /// threw.
    public func value() async throws -> R {
        let result = await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.result == nil {
                    state.waiting.append(continuation)
                }
                return state.result
            }
            if let known {
                continuation.resume(returning: known)
            }
        }
        return try result.get()
    }

    /// Waits until the thread has raised the signal. Throws what its work threw if it has ended without doing so.
    public func reaches(_ signal: Signal) async throws {
        do {
            try await signal.wait { self.hasEnded }
        } catch {
            if hasEnded {
                _ = try await value()
            }
            throw error
        }
    }
}

/// Runs blocking work of tests on threads of their own and waits for them.
public enum Threads {
    /// Runs the work on so many threads at once and waits until all of them have ended. Throws what the first of them
    /// threw.
    public static func run(_ count: Int, _ work: @escaping @Sendable (_ thread: Int) throws -> Void) async throws {
        let threads = (0..<count).map { thread in OwnThread { try work(thread) } }
        var results: [Result<Void, any Error>] = []
        for thread in threads {
            do {
                results.append(.success(try await thread.value()))
            } catch {
                results.append(.failure(error))
            }
        }
        for result in results {
            try result.get()
        }
    }

    /// Runs the work on one thread and returns what it returns.
    public static func run<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await OwnThread(work).value()
    }
}
