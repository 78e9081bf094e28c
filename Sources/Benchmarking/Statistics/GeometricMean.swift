/// Sums a whole suite up in one ratio: the geometric mean of its rows, with an interval from resampling whole rounds.
package enum GeometricMean {
    /// Estimates from `rounds`: for each round the log ratio of each row (rows in the same order; nil if a row has
    /// no sample in that round).
    ///
    /// The bootstrap draws rounds, not single pairs, because rows measured in the same minutes share their noise; it is
    /// seeded and draws the same numbers everywhere. nil without any figure.
    package static func estimate(
        rounds: [[Double?]], level: Double = 0.95, draws: Int = 2_000, seed: UInt64 = 1
    ) -> RatioEstimate? {
        let rows = (0..<(rounds.map(\.count).max() ?? 0)).map { row in
            SortedRow(rounds.map { $0.indices.contains(row) ? $0[row] : nil })
        }
        guard let centre = mean(rows, times: rounds.map { _ in 1 }) else { return nil }
        guard rounds.count >= 6 else {
            return RatioEstimate(ratio: Exponential.exp(centre), interval: nil, pairs: rounds.count)
        }
        var random = SplitMix(seed: seed)
        let drawn = (0..<draws).compactMap { _ in
            var times = [Int](repeating: 0, count: rounds.count)
            for _ in rounds.indices {
                times[Int(random.next(below: UInt64(rounds.count)))] += 1
            }
            return mean(rows, times: times)
        }
        let tail = (1 - level) / 2
        guard let low = Quantiles.quantile(drawn, tail), let high = Quantiles.quantile(drawn, 1 - tail) else {
            return nil
        }
        return RatioEstimate(
            ratio: Exponential.exp(centre),
            interval: .init(low: Exponential.exp(low), high: Exponential.exp(high), level: level), pairs: rounds.count)
    }

    /// One row's change, for a mean of finished estimates. `common` is the part of its half width (of ln ratio) that
    /// all rows may share.
    package struct Change: Sendable {
        package var estimate: RatioEstimate
        package var common: Double

        package init(_ estimate: RatioEstimate, common: Double) {
            self.estimate = estimate
            self.common = common
        }
    }

    /// Estimates from the rows' own intervals, if there are no rounds to draw from. Rows without an interval are left
    /// out; nil if none has one.
    ///
    /// Rows of one group may have common errors (the ratios of a cell share their arms), so their half widths are
    /// added. Groups were measured by other processes at other times, so theirs are added as squares. What all rows may
    /// share does not shrink with their number.
    package static func estimate(groups: [[Change]]) -> RatioEstimate? {
        let groups = groups.map { $0.filter { $0.estimate.halfWidth != nil && $0.estimate.ratio > 0 } }
        let all = groups.flatMap { $0 }
        guard let pairs = all.map(\.estimate.pairs).min(), let level = all.compactMap(\.estimate.interval?.level).min()
        else {
            return nil
        }
        let count = Double(all.count)
        let centre = all.reduce(0) { $0 + Exponential.log($1.estimate.ratio) } / count
        let common = all.reduce(0) { $0 + $1.common } / count
        let own = groups.map { group in
            group.reduce(0) { sum, change in
                let half = change.estimate.halfWidth ?? 0
                return sum + max(0, half * half - change.common * change.common).squareRoot()
            } / count
        }
        let half = (own.reduce(0) { $0 + $1 * $1 } + common * common).squareRoot()
        return RatioEstimate(
            ratio: Exponential.exp(centre),
            interval: .init(low: Exponential.exp(centre - half), high: Exponential.exp(centre + half), level: level),
            pairs: pairs)
    }

    /// The mean over the rows of each row's median, if each round counts this many times.
    private static func mean(_ rows: [SortedRow], times: [Int]) -> Double? {
        var sum = 0.0
        var count = 0.0
        for row in rows {
            guard let median = row.median(times: times) else { continue }
            sum += median
            count += 1
        }
        return count > 0 ? sum / count : nil
    }
}
