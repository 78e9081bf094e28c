/// The verdict on all rows together, by the geometric mean of their ratios, which shows a small change of everything
/// that no single row can show.
///
/// One look is enough if the rows of a run are paired (another build takes turns with this one). A single row needs a
/// second look because the largest of 60 rows is judged, and because its offset in a session does not disappear by
/// repetition. Here one figure is judged, and the rows' offsets average out.
package struct SuiteVerdict: Sendable, Hashable {
    /// What is summed up: `wall` or `cpu` against a build, or the stored ratios.
    package let what: String
    /// Number of rows in it.
    package let rows: Int
    package let estimate: RatioEstimate
    package let verdict: Verdict
    /// Whether `slower` makes the run red.
    package let gates: Bool

    /// The change of the mean that is still "same".
    package static let margin = Margin(0.05)
    /// The mean of fewer rows is informational and does not gate, because the peculiarities of single rows do not
    /// average out.
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
