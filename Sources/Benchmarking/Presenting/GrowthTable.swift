/// Shows how the time for one unit of work grows with the size of the soup.
package enum GrowthTable {
    static let titles = ["work", "arm", "sizes", "times of a unit", "exponent"]

    package static func make(_ curves: [GrowthCurve]) -> TextTable? {
        guard !curves.isEmpty else { return nil }
        var table = TextTable(
            zip(titles, [.left, .left, .left, .left, .right] as [TextTable.Alignment]).map {
                (title: $0, alignment: $1)
            })
        for curve in curves {
            table.add([
                curve.family, curve.arm.name, curve.points.map { String($0.entries) }.joined(separator: " "),
                curve.points.map { Figures.time($0.nanoseconds) }.joined(separator: ", "), exponent(curve),
            ])
        }
        return table
    }

    /// `n^0.98 [0.96, 1.01]`: 0 is independent of the size, 1 in proportion to it.
    static func exponent(_ curve: GrowthCurve) -> String {
        guard let fit = curve.fit else {
            return "?"
        }
        let interval = curve.interval.map { " [\(Figures.fixed($0.low, 2)), \(Figures.fixed($0.high, 2))]" } ?? " [?]"
        return "n^" + Figures.fixed(fit.exponent, 2) + interval
    }
}
