import Soups

/// Says how a check ends, as an exit code that scripts can rely on.
package enum CheckOutcome: Int32, Sendable, CaseIterable {
    /// Nothing is slower.
    case nothingSlower = 0
    /// A regression that was confirmed.
    case regression = 1
    /// Wrong usage.
    case wrongUsage = 2
    /// The run says nothing: a control moved, answers differ, encryption was not proved.
    case invalidRun = 3
    /// Something could not be decided (only when asked to be strict).
    case inconclusive = 4
    /// There is nothing stored to compare with, or nothing of it can be compared.
    case incomparable = 5

    /// The outcome of a comparison.
    ///
    /// - Parameters:
    ///   - faults: those of both sessions (`CheckSession.faults`).
    ///   - isStrict: whether what gates must be decided.
    ///   - wantsAll: whether what cannot be compared is undecided too.
    ///   - wantsWhole: whether cells of the stored report that were not measured are undecided too.
    package init(
        _ comparison: RunComparison, confirmedBy second: RunComparison?, faults: [String], isStrict: Bool,
        wantsAll: Bool = false, wantsWhole: Bool = false
    ) {
        if !faults.isEmpty || !comparison.faults.isEmpty {
            self = .invalidRun
        } else if comparison.rows.isEmpty {
            self = .incomparable
        } else if !comparison.regressions(confirmedBy: second).isEmpty || comparison.isSuiteSlower(confirmedBy: second)
        {
            self = .regression
        } else if isStrict && comparison.isUndecided(confirmedBy: second)
            || wantsAll && !(comparison.incomparable.isEmpty && comparison.notStored.isEmpty)
            || wantsWhole && !comparison.notMeasured.isEmpty
        {
            self = .inconclusive
        } else {
            self = .nothingSlower
        }
    }
}
