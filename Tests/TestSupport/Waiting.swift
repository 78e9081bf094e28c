import Foundation

/// Waits for what another thread or process does.
///
/// Machines are loaded, so a wait ends early only if the other side has ended. The bound is for a side that hangs.
public enum Waiting {
    public static let bound = Duration.seconds(600)
    /// The same in milliseconds, for calls that take a number. A thread may wait a minute for its turn where all tests
    /// run.
    public static let milliseconds = 600_000

    /// The other side ended, or the bound was reached.
    public struct GaveUp: Error {}

    /// Blocks the calling thread, which should not be one of the cooperative pool. Returns whether the condition came
    /// true.
    public static func block(
        unless hasEnded: () -> Bool = { false }, until condition: () throws -> Bool
    ) rethrows -> Bool {
        let end = ContinuousClock.now + bound
        while try !condition() {
            if hasEnded() {
                // It may have done it last.
                return try condition()
            }
            guard ContinuousClock.now < end else { return false }
            Thread.sleep(forTimeInterval: 0.001)
        }
        return true
    }

    /// Waits without blocking a thread. Throws `GaveUp` if the condition does not come true.
    public static func suspend(
        unless hasEnded: () -> Bool = { false }, until condition: () -> Bool
    ) async throws {
        let end = ContinuousClock.now + bound
        while !condition() {
            if hasEnded(), !condition() {
                throw GaveUp()
            }
            guard ContinuousClock.now < end else {
                throw GaveUp()
            }
            try await Task.sleep(for: .microseconds(200))
        }
    }
}
