/// Says how many times as much one arm takes as another, and how sure that is: estimate and interval over pairs that
/// were measured in turn.
package struct RatioEstimate: Sendable, Hashable {
    /// The Hodges-Lehmann estimate of arm / base.
    package let ratio: Double
    /// The exact signed-rank interval; nil with too few pairs.
    package let interval: Interval?
    package let pairs: Int

    package struct Interval: Sendable, Hashable {
        package let low: Double
        package let high: Double
        /// The probability that such an interval covers the truth: at least the requested level.
        package let level: Double

        package init(low: Double, high: Double, level: Double) {
            self.low = low
            self.high = high
            self.level = level
        }
    }

    package init(ratio: Double, interval: Interval?, pairs: Int) {
        self.ratio = ratio
        self.interval = interval
        self.pairs = pairs
    }

    /// The ratio of two counts that repeat exactly. From 0 to something is infinitely more, for which the largest
    /// number is used.
    package static func exact(before: Double, after: Double) -> RatioEstimate {
        let ratio = before == after ? 1 : before > 0 ? after / before : .greatestFiniteMagnitude
        return RatioEstimate(ratio: ratio, interval: Interval(low: ratio, high: ratio, level: 1), pairs: 1)
    }

    /// Half the width of the interval, of ln ratio; nil without one.
    package var halfWidth: Double? {
        guard let interval, interval.low > 0 else { return nil }
        return (Exponential.log(interval.high) - Exponential.log(interval.low)) / 2
    }

    /// Turns the centre of log ratios into a ratio; nil without any.
    package init?(_ ranks: SignedRank, level: Double = 0.95) {
        guard let centre = ranks.estimate else { return nil }
        ratio = Exponential.exp(centre)
        interval = ranks.interval(level: level).map {
            Interval(low: Exponential.exp($0.low), high: Exponential.exp($0.high), level: $0.level)
        }
        pairs = ranks.pairs
    }
}

extension SignedRank {
    /// Takes ln(arm / base) of each pair; pairs with a measurement that is not positive are left out.
    package init(logRatios pairs: [(base: Double, arm: Double)]) {
        self.init(pairs.compactMap { $0.base > 0 && $0.arm > 0 ? Exponential.log($0.arm / $0.base) : nil })
    }
}
