/// The prepared work of one arm in one block. A worker makes it, runs it under the clock, checks what it did, and
/// closes it.
///
/// Everything happens on one thread. What is thrown ends the block: the cell is then invalid, with the error as its
/// reason.
package protocol Subject: AnyObject {
    /// Does the work once, under the clock, and says how many units (entries, documents, calls) that were: more than 0,
    /// the same for all arms.
    ///
    /// Give it all the work there is: a call should take from 10 us to a few seconds. `watch.pause { }` excludes what
    /// must not count.
    func run(_ watch: Stopwatch) throws -> Int

    /// Feeds what the work returned or stored, for all arms in the same order. Not under the clock; called once, after
    /// the last run.
    func digest(into digest: inout ContentDigest) throws

    /// The exact counters so far, ever growing; the worker takes the difference around the first run. Only metrics that
    /// the arm has.
    func counters() throws -> [(Metric, Int)]

    /// How SQLite answers the statements of the work, where the arm has any: asked after the last run, before `digest`.
    func plans() throws -> [String]

    /// The files that hold the arm's documents; nil without storage. Asked before `close`, looked at after it.
    var evidence: Evidence? { get }

    /// Closes what is open; afterwards the worker looks at the files. Not called twice.
    func close() throws
}

extension Subject {
    package func counters() throws -> [(Metric, Int)] { [] }
    package func plans() throws -> [String] { [] }
    package var evidence: Evidence? { nil }
    package func close() throws {}
}

/// Work that touches no storage: a closure over data made beforehand, and one that tells what came out.
package final class Computation: Subject {
    private let work: () throws -> Int
    private let answer: (inout ContentDigest) throws -> Void

    /// - Parameters:
    ///   - work: does it once and returns the units done; keep its result somewhere `answer` sees it, or the optimiser
    ///     may drop it.
    ///   - answer: feeds the result.
    package init(work: @escaping () throws -> Int, answer: @escaping (inout ContentDigest) throws -> Void) {
        self.work = work
        self.answer = answer
    }

    package func run(_ watch: Stopwatch) throws -> Int { try work() }
    package func digest(into digest: inout ContentDigest) throws { try answer(&digest) }
}
