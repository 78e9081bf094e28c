import Soups

/// Says what a check found.
package enum CheckOutcome: Sendable {
    case nothingSlower
    /// A regression that was confirmed.
    case regression
    /// The run proves nothing: a control moved, answers differ, or encryption was not proved.
    case invalidRun
    /// Something could not be decided. Only a strict check ends like this.
    case inconclusive
    /// Not every row that gates in the stored report was compared, or no report is stored.
    case incomparable

    /// The outcome of a comparison.
    ///
    /// - Parameters:
    ///   - faults: The faults of both sessions (`CheckSession.faults`).
    ///   - isStrict: Whether every row that gates must be decided.
    ///   - wantsAll: Whether a cell that cannot be compared counts as undecided.
    ///   - wantsWhole: Whether a cell of the stored report that was not measured counts as undecided.
    package init(
        _ comparison: RunComparison, confirmedBy second: RunComparison?, faults: [String], isStrict: Bool,
        wantsAll: Bool = false, wantsWhole: Bool = false
    ) {
        if !faults.isEmpty || !comparison.faults.isEmpty {
            self = .invalidRun
        } else if !comparison.regressions(confirmedBy: second).isEmpty || comparison.isSuiteSlower(confirmedBy: second)
        {
            self = .regression
        } else if !comparison.coverage.isWhole {
            self = .incomparable
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
