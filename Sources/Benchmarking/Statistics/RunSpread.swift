/// Estimates how far the ratio of an unchanged row moves from one run to the next, from the ratios of runs that were
/// stored.
package enum RunSpread {
    /// Fewer runs than this say nothing: their deviation is as often by luck near zero as not.
    package static let fewestRuns = 4

    /// What an estimate is held within. A handful of runs can agree by luck, so that it never falls below half of what
    /// is assumed without any; and a row that moves by more than the widest margin of the clock can be judged at no
    /// margin, so that more would only hide what it does.
    package static let range = 0.01...0.10

    /// The half width, at 95 %, of the difference between two runs' ln ratios; nil with fewer than `fewestRuns` ratios.
    /// Oldest first.
    ///
    /// The deviation is the median absolute one, from the level that each run belongs to: one odd run, or a step that
    /// was accepted, does not widen it. The uncertainty of each run's own ratio is in it and is not taken out again,
    /// which errs on the side of fewer alarms. O(n^3), see `ChangePoints`.
    package static func halfWidth(_ ratios: [Double]) -> Double? {
        let ratios = ratios.filter { $0 > 0 && $0.isFinite }
        guard ratios.count >= fewestRuns else { return nil }
        let places = [0] + ChangePoints.find(ratios) + [ratios.count]
        var residuals: [Double] = []
        for (start, end) in zip(places, places.dropFirst()) {
            let level = ratios[start..<end].map { Exponential.log($0) }
            guard let centre = Quantiles.median(level) else { continue }
            residuals += level.map { abs($0 - centre) }
        }
        guard let median = Quantiles.median(residuals) else { return nil }
        // 1.4826: of a normal deviation the median absolute one is that much smaller. Each level's centre was fitted to
        // its own values, which takes one of them away; the difference of two runs has both their deviations.
        let levels = places.count - 1
        let fitted = (Double(ratios.count) / Double(ratios.count - levels)).squareRoot()
        let deviation = 1.4826 * median * fitted
        return min(max(1.96 * 2.0.squareRoot() * deviation, range.lowerBound), range.upperBound)
    }
}
