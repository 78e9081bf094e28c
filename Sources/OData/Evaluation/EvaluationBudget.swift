import Soups
import StepCounting

/// What one evaluation for one entity may still cost.
struct EvaluationBudget {
    private(set) var steps: Int
    private var bytes: Int

    init(_ limits: Limits) {
        steps = limits.steps
        bytes = limits.resultBytes
    }

    /// The number of steps for reading a text once.
    @inline(__always)
    static func steps(for text: String) -> Int { 1 + text.utf8.count >> 6 }

    /// Pays for steps before they are done.
    @inline(__always)
    mutating func spend(_ count: Int = 1) throws(Fault) {
        StepCounter.add(count)
        steps -= count
        guard steps >= 0 else {
            throw Self.exhausted("the evaluation takes too many steps; raise Limits.steps")
        }
    }

    /// Pays for the bytes of a result before it is made, and for the steps of making it.
    mutating func make(_ count: Int) throws(Fault) {
        bytes -= count
        guard bytes >= 0 else {
            throw Self.exhausted("the results of the evaluation are too large; raise Limits.resultBytes")
        }
        try spend(1 + count >> 6)
    }

    /// Pays for a collection with this number of members.
    mutating func makeCollection(_ count: Int) throws(Fault) { try make(count << 6) }

    private static func exhausted(_ message: String) -> Fault { Fault(.limitExceeded, message) }
}
