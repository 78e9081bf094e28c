/// Finds medians, quantiles and outliers of plain lists of numbers.
package enum Quantiles {
    /// The middle value, or the mean of the two middle ones; nil if there are no values.
    package static func median(_ values: [Double]) -> Double? { median(sorted: values.sorted()) }

    static func median(sorted values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }

    /// The value below which this share of the values is, by linear interpolation between neighbours; nil if there are
    /// no values.
    package static func quantile(_ values: [Double], _ share: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let position = max(0, min(1, share)) * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
    }

    /// Marks values further than 3.5 scaled median absolute deviations from the median. They are labelled, never
    /// dropped.
    ///
    /// If more than half of the values are equal, the deviation is 0 and nothing is marked. Source: Iglewicz & Hoaglin
    /// 1993.
    package static func outliers(_ values: [Double]) -> [Bool] {
        guard let centre = median(values), let spread = median(values.map { abs($0 - centre) }), spread > 0 else {
            return values.map { _ in false }
        }
        return values.map { 0.6745 * abs($0 - centre) / spread > 3.5 }
    }
}
