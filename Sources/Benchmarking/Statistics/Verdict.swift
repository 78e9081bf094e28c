/// The five things that can be said of a ratio. `same` is shown, not assumed; `invalid` overrides whatever the figures
/// say.
package enum Verdict: String, Sendable, Hashable, CaseIterable {
    case faster, slower, same, inconclusive, invalid

    /// Judges an estimate of arm / base against a margin: the interval must lie wholly on one side of it, or wholly
    /// inside.
    ///
    /// An interval that merely excludes 1 proves a difference, not one that matters; and with 60 rows one of them
    /// nearly always does.
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
