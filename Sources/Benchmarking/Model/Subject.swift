/// The prepared work of one arm in one block. A worker creates it, runs it under the clock, checks the result, and
/// closes it.
///
/// Everything happens on one thread. An error ends the block: the cell is then invalid, with the error as its reason.
package protocol Subject: AnyObject {
    /// Does the work once, under the clock, and returns the number of units (entries, documents, calls): more than 0,
    /// and the same for all arms.
    ///
    /// A call should take from 10 us to a few seconds. Use `watch.pause { }` for parts that must not count.
    func run(_ watch: Stopwatch) throws -> Int

    /// Adds what the work returned or stored to the digest, in the same order for all arms. Not measured; called once,
    /// after the last run.
    func digest(into digest: inout ContentDigest) throws

    /// The exact counters so far, which only grow; the worker takes the difference over the first run. Only the metrics
    /// that the arm has.
    func counters() throws -> [(Metric, Int)]

    /// How SQLite answers the statements of the work, if the arm has any. Called after the last run, before `digest`.
    func plans() throws -> [String]

    /// Whether the work is done by another process, whose processor time this one cannot measure.
    var isInAnotherProcess: Bool { get }

    /// The files with the arm's documents; nil without storage. Read before `close`, and searched after it.
    var evidence: Evidence? { get }

    /// Closes what is open, so that the worker can search the files. Called once.
    func close() throws
}

extension Subject {
    package func counters() throws -> [(Metric, Int)] { [] }
    package func plans() throws -> [String] { [] }
    package var evidence: Evidence? { nil }
    package var isInAnotherProcess: Bool { false }
    package func close() throws {}
}
