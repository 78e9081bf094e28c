/// Says what all rows say together: the geometric mean of their ratios, which sees a small change of everything that no
/// single row can show.
///
/// One look is enough where rows of one run are paired (another build takes turns with this one): the second look is there
/// because the greatest of 60 rows is judged, and because a session's offset of one row does not go away by repeating.
/// Here one figure is judged, and the rows' offsets average out.
package struct SuiteVerdict: Sendable, Hashable {
    /// What was summed up: `wall` or `cpu` against a build, or the stored ratios.
    package let what: String
    /// Number of rows in it.
    package let rows: Int
    package let estimate: RatioEstimate
    package let verdict: Verdict
    /// Whether `slower` makes the run red.
    package let gates: Bool

    /// The change of the mean that is still "same".
    package static let margin = Margin(0.05)
    /// The mean of fewer rows is informational and does not gate: what is odd about single rows does not average out in it.
    package static let fewestRows = 10

    package init(what: String, rows: Int, estimate: RatioEstimate, gates: Bool = true) {
        self.what = what
        self.rows = rows
        self.estimate = estimate
        verdict = Verdict(estimate, margin: Self.margin)
        self.gates = gates && rows >= Self.fewestRows
    }

    /// Whether it makes the run red.
    package var isRegression: Bool { gates && verdict == .slower }
}
