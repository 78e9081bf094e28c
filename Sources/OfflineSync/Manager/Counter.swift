import Synchronization

/// Gives numbers below zero, each once, for syncs that have no id yet.
final class Counter: Sendable {
    private let value = Atomic<Int64>(-1)
    func next() -> Int64 { value.subtract(1, ordering: .relaxed).oldValue }
}
