/// Estimates how much the ratio of an unchanged row moves from one run to the next, from the ratios of stored runs.
package enum RunSpread {
    /// With fewer runs the estimate is meaningless: by luck it is often near zero.
    package static let fewestRuns = 4

    /// The limits of an estimate. A few runs can agree by luck, so it is never less than half of what is assumed
    /// without a history. A row that moves by more than the widest margin of the clock cannot be judged at any margin,
    /// and a larger estimate would only hide that.
    package static let range = 0.01...0.10

    /// The half width, at 95 %, of the difference between two runs' ln ratios; nil with fewer than `fewestRuns` ratios.
    /// Oldest first.
    ///
    /// The deviation is the median absolute one, from the level that each run belongs to: one odd run, or an accepted
    /// step, does not widen it. It includes the uncertainty of each run's own ratio, which leads to fewer alarms.
    /// O(n^3), see `ChangePoints`.
    package static func halfWidth(_ ratios: [Double]) -> Double? {
        let ratios = ratios.filter { $0 > 0 && $0.isFinite }
        guard ratios.count >= fewestRuns else { return nil }
        let bounds = [0] + ChangePoints.find(ratios) + [ratios.count]
        var residuals: [Double] = []
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let level = ratios[start..<end].map { Exponential.log($0) }
            guard let centre = Quantiles.median(level) else { continue }
            residuals += level.map { abs($0 - centre) }
        }
        guard let median = Quantiles.median(residuals) else { return nil }
        // 1.4826: the median absolute deviation of a normal distribution is smaller than the standard deviation by this
        // factor. Each level's centre is fitted to its own values, which costs one of them; the difference of two runs
        // has the deviations of both.
        let levels = bounds.count - 1
        let fitted = (Double(ratios.count) / Double(ratios.count - levels)).squareRoot()
        let deviation = 1.4826 * median * fitted
        return min(max(1.96 * 2.0.squareRoot() * deviation, range.lowerBound), range.upperBound)
    }
}
