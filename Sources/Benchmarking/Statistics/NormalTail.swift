import Libc

/// The tail of the normal distribution, for estimates that come with an interval and nothing else.
package enum NormalTail {
    /// The probability of an estimate at least this far above a bound if the truth were on the bound. nil without an
    /// interval.
    package static func probability(_ estimate: RatioEstimate, above bound: Double) -> Double? {
        guard let interval = estimate.interval, interval.low > 0, bound > 0 else { return nil }
        return tail(log(estimate.ratio) - log(bound), of: interval)
    }

    /// The probability of an estimate at least this far beyond a margin, on either side, if the truth were on its
    /// bound. nil without an interval.
    package static func probability(_ estimate: RatioEstimate, beyond margin: Margin) -> Double? {
        guard let interval = estimate.interval, interval.low > 0 else { return nil }
        let above = tail(log(estimate.ratio) - log(margin.upper), of: interval)
        let below = tail(log(margin.lower) - log(estimate.ratio), of: interval)
        return min(1, 2 * min(above, below))
    }

    private static func tail(_ distance: Double, of interval: RatioEstimate.Interval) -> Double {
        let deviation = (log(interval.high) - log(interval.low)) / (2 * 1.959_963_985)
        guard deviation > 0 else {
            return distance > 0 ? 0 : 1
        }
        return 0.5 * erfc(distance / deviation / 2.0.squareRoot())
    }
}
