/// Estimates the centre of paired differences without assuming a normal distribution: Hodges-Lehmann estimate, exact
/// interval, exact test.
///
/// All three come from one sorted list, the means of every two differences (each with itself too), so they never
/// contradict each other: a value is outside the interval exactly if the test at that level rejects it. Ties count
/// against a finding.
package struct SignedRank: Sendable {
    /// The n(n+1)/2 pairwise means in ascending order.
    private let means: [Double]
    private let distribution: SignedRankDistribution

    package var pairs: Int { distribution.pairs }

    /// Takes the differences of the pairs, in any order; values that are not finite are left out. O(n^2 log n).
    package init(_ differences: [Double]) {
        let differences = differences.filter(\.isFinite).prefix(1_000)
        var means: [Double] = []
        means.reserveCapacity(differences.count * (differences.count + 1) / 2)
        for (index, one) in differences.enumerated() {
            for other in differences.dropFirst(index) {
                means.append((one + other) / 2)
            }
        }
        self.means = means.sorted()
        distribution = SignedRankDistribution(pairs: differences.count)
    }

    /// The Hodges-Lehmann estimate: the median of the pairwise means; nil without differences.
    package var estimate: Double? { Quantiles.median(sorted: means) }

    /// The shortest exact interval that covers the centre with at least the probability `level`; nil if there are too
    /// few pairs for one (fewer than 6 at 95 %, fewer than 8 at 99 %). `level` of the result is the actual probability.
    package func interval(level: Double) -> (low: Double, high: Double, level: Double)? {
        guard !means.isEmpty, let refused = distribution.criticalValue((1 - level) / 2) else {
            return nil
        }
        return (means[refused], means[means.count - 1 - refused], 1 - 2 * distribution.atMost(refused))
    }

    /// The probability of differences at least this large if their centre were `value` or less (one-sided, exact
    /// without ties, else too large).
    package func probability(centreAtMost value: Double) -> Double {
        means.isEmpty ? 1 : distribution.atLeast(means.count(where: { $0 > value }))
    }

    /// The probability of differences at least this small if their centre were `value` or more.
    package func probability(centreAtLeast value: Double) -> Double {
        means.isEmpty ? 1 : distribution.atLeast(means.count(where: { $0 < value }))
    }

    /// The probability of log ratios at least this far beyond a margin, on either side, if their centre were on its
    /// bound.
    package func probability(beyond margin: Margin) -> Double {
        let above = probability(centreAtMost: Exponential.log(margin.upper))
        let below = probability(centreAtLeast: Exponential.log(margin.lower))
        return min(1, 2 * min(above, below))
    }
}
