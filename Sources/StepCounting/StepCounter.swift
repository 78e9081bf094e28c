import Synchronization

/// Counts what parsers and readers do, so that a test can tell whether their work grows faster than their input. Only
/// debug builds count; in a release build a call is nothing.
///
/// A step is about what a byte or a name costs: a byte of a text that is looked at, a token, a comparison of two names,
/// a search in a hash table.
///
/// The class must be usable from inlined code: without that, each call in a release build would be a real call of an
/// empty function, three instructions of a hot loop and the registers that they overwrite.
@usableFromInline package final class StepCounter: Sendable {
    private let count = Atomic<Int>(0)

    /// Whether this build counts.
    package static var isCounting: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    /// Counts steps of the work around the call, if there is one that counts.
    @inlinable @inline(__always)
    package static func add(_ steps: Int = 1) {
        #if DEBUG
        addInDebugBuild(steps)
        #endif
    }

    /// The number of steps of some work; nil in a release build.
    package static func steps(of work: () throws -> Void) rethrows -> Int? {
        #if DEBUG
        counting.add(1, ordering: .relaxed)
        defer { counting.subtract(1, ordering: .relaxed) }
        let counter = StepCounter()
        try $current.withValue(counter, operation: work)
        return counter.count.load(ordering: .relaxed)
        #else
        try work()
        return nil
        #endif
    }

    #if DEBUG
    @TaskLocal private static var current: StepCounter?
    /// The number of works that count now. It spares all others the search for a counter.
    private static let counting = Atomic<Int>(0)

    @usableFromInline static func addInDebugBuild(_ steps: Int) {
        guard counting.load(ordering: .relaxed) > 0 else { return }
        current?.count.add(steps, ordering: .relaxed)
    }
    #endif
}
