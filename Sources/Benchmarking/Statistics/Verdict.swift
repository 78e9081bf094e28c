/// The five possible verdicts on a ratio. `same` must be shown, not assumed; `invalid` overrides the figures.
package enum Verdict: String, Sendable, Hashable, CaseIterable {
    case faster, slower, same, inconclusive, invalid

    /// Judges an estimate of arm / base against a margin: the whole interval must be on one side of it, or inside.
    ///
    /// An interval that merely excludes 1 proves a difference, but not one that matters; and among 60 rows there is
    /// nearly always one such.
    package init(_ estimate: RatioEstimate?, margin: Margin) {
        guard let interval = estimate?.interval else {
            self = .inconclusive
            return
        }
        if interval.low > margin.upper {
            self = .slower
        } else if interval.high < margin.lower {
            self = .faster
        } else if interval.low > margin.lower && interval.high < margin.upper {
            self = .same
        } else if interval.low == interval.high && interval.low == 1 {
            self = .same  // exact counters have a margin of nothing
        } else {
            self = .inconclusive
        }
    }
}
