/// Sums a whole suite up in one ratio: the geometric mean of its rows, with an interval from resampling whole rounds.
public enum GeometricMean {
    /// Estimates from `rounds`: for each round the log ratio of each row (rows in the same order; nil where a row has none in that round).
    ///
    /// The bootstrap draws rounds, not single pairs, because rows measured in the same minutes share their noise; it is seeded and draws the
    /// same numbers everywhere. nil without any figure.
    public static func estimate(rounds: [[Double?]], level: Double = 0.95, draws: Int = 2_000, seed: UInt64 = 1) -> RatioEstimate? {
        guard let centre = mean(rounds) else { return nil }
        guard rounds.count >= 6 else { return RatioEstimate(ratio: Exponential.exp(centre), interval: nil, pairs: rounds.count) }
        var random = SplitMix(seed: seed)
        let drawn = (0..<draws).compactMap { _ in
            mean(rounds.indices.map { _ in rounds[Int(random.next(below: UInt64(rounds.count)))] })
        }
        let tail = (1 - level) / 2
        guard let low = Quantiles.quantile(drawn, tail), let high = Quantiles.quantile(drawn, 1 - tail) else { return nil }
        return RatioEstimate(
            ratio: Exponential.exp(centre), interval: .init(low: Exponential.exp(low), high: Exponential.exp(high), level: level), pairs: rounds.count)
    }

    private static func mean(_ rounds: [[Double?]]) -> Double? {
        let rows = rounds.map(\.count).max() ?? 0
        let medians = (0..<rows).compactMap { row in Quantiles.median(rounds.compactMap { $0.indices.contains(row) ? $0[row] : nil }) }
        return medians.isEmpty ? nil : medians.reduce(0, +) / Double(medians.count)
    }
}
