import Platform

/// A moment at which waiting is over, by the clock that cannot be set.
struct Deadline {
    /// A day: more than any wait of a test, and far from what overflows.
    private static let longest = 86_400_000
    private let end: UInt64

    init(milliseconds: Int) {
        let time = min(max(0, milliseconds), Self.longest)
        end = SystemClock.monotonicNanoseconds + UInt64(time) * 1_000_000
    }

    init(seconds: Int) { self.init(milliseconds: min(max(0, seconds), Self.longest / 1_000) * 1_000) }

    /// What is left, at least 0.
    var milliseconds: Int {
        let now = SystemClock.monotonicNanoseconds
        return now < end ? Int((end - now) / 1_000_000) + 1 : 0
    }
}
