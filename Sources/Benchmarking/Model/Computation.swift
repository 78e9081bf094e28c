/// Work without storage: a closure over data that was made before, and one that adds the result to the digest.
package final class Computation: Subject {
    private let work: () throws -> Int
    private let answer: (inout ContentDigest) throws -> Void
    package let isInAnotherProcess: Bool

    /// - Parameters:
    ///   - isInAnotherProcess: Whether the work only asks another process and waits for its answer.
    ///   - work: Does the work once and returns the number of units. Keep its result where `answer` can use it, or the
    ///     optimiser may drop the work.
    ///   - answer: Adds the result to the digest.
    package init(
        isInAnotherProcess: Bool = false, work: @escaping () throws -> Int,
        answer: @escaping (inout ContentDigest) throws -> Void
    ) {
        self.isInAnotherProcess = isInAnotherProcess
        self.work = work
        self.answer = answer
    }

    package func run(_ watch: Stopwatch) throws -> Int { try work() }
    package func digest(into digest: inout ContentDigest) throws { try answer(&digest) }
}
