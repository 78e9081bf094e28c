/// Says how far the rows of a run are apart that compare two builds of one source, beyond the noise of their pairs.
///
/// Two such builds differ by the layout of their code, and a row may have an offset for as long as a session lasts.
/// Repeating does not remove either, so a row of another source can have them too, and no row alone shows how large
/// they are. All null rows together do, under the noise of this very run.
package enum BuildSpread {
    /// With fewer null rows the estimate is meaningless.
    package static let fewestRows = 10
    /// The largest standard deviation that widens margins. Beyond it nothing worth finding could be found, and null
    /// rows make the run invalid instead.
    package static let largest = 0.05
    /// How many standard deviations the margins of rows that gate are widened by. Such a row must be beyond its usual
    /// margin too, in both looks: together that is 1 false alarm in 100 runs of 60 rows (`ci/judge-trials`).
    package static let ofGatingRows = 1.25
    /// The same for the null rows, each of which would make a run invalid.
    package static let ofNullRows = 3.0

    /// The standard deviation of ln ratio over the null rows, less the share that the widths of their intervals already
    /// explain; nil if fewer than `fewestRows` rows have an interval.
    package static func deviation(_ nullRows: [RatioEstimate]) -> Double? {
        let rows = nullRows.compactMap { row in row.halfWidth.map { (centre: Exponential.log(row.ratio), half: $0) } }
        guard rows.count >= fewestRows, let middle = Quantiles.median(rows.map { abs($0.centre) }),
            let half = Quantiles.median(rows.map(\.half))
        else {
            return nil
        }
        // 1.4826: see `RunSpread`. A few rows that are far out count, but not more than three times what is usual.
        let usual = 1.4826 * middle
        let squares = rows.reduce(0.0) { sum, row in
            let bounded = min(abs(row.centre), 3 * usual)
            return sum + bounded * bounded
        }
        let whole = max(usual * usual, squares / Double(rows.count))
        let explained = half / 1.96
        return min(max(0, whole - explained * explained).squareRoot(), largest)
    }
}
