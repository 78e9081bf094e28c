import Platform
import Synchronization

/// Gives a store the time, in milliseconds since 1970. Each call that writes reads it exactly once, so that a test can
/// predict every date.
///
/// ```swift
/// // Each call that writes gets the next millisecond, so a test can predict every date.
/// options.clock = .stepping(from: 1_600_000_000_000)
/// let store = try SmartStore(path: path, options: options)
/// ```
public struct StoreClock: Sendable {
    /// Reads the time.
    package let now: @Sendable () -> Int64

    /// Creates a clock from a function that returns milliseconds since 1970. It is called on the thread of each call
    /// that writes.
    public init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The wall clock of the system, truncated to milliseconds.
    public static let system = StoreClock { SystemClock.wallMilliseconds }

    /// Begins at `start` and advances by `step` milliseconds after each reading, so that dates are known beforehand.
    public static func stepping(from start: Int64, by step: Int64 = 1) -> StoreClock {
        let counter = StepCounter(start: start)
        return StoreClock { counter.next(step: step) }
    }
}

private final class StepCounter: Sendable {
    private let value: Atomic<Int64>

    init(start: Int64) { value = Atomic(start) }

    func next(step: Int64) -> Int64 { value.add(step, ordering: .relaxed).oldValue }
}
