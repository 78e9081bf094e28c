import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The clock of the vectors. It does not change during a call and advances by a millisecond after each call that
/// writes.
final class VectorClock: Sendable {
    static let start: Int64 = 1_600_000_000_000
    private let time = Atomic<Int64>(start)

    var now: Int64 { time.load(ordering: .relaxed) }
    func advance() { time.add(1, ordering: .relaxed) }
    func reset() { time.store(Self.start, ordering: .relaxed) }
}
