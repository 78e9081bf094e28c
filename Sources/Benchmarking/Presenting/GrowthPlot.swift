/// Draws time per unit of work over the size of the soup, both logarithmic, one line for each arm, distinguished by
/// marker and dash, not by colour.
struct GrowthPlot {
    let family: String
    let curves: [GrowthCurve]

    private static let width = 460.0
    private static let lowest = 250.0
    private static let left = 70.0
    private static let plotWidth = 210.0
    private static let top = 34.0
    private static let plotHeight = 170.0

    /// The legend has two lines for each arm.
    private var height: Double { max(Self.lowest, Self.top + Double(curves.count) * 36 + 8) }

    var svg: String {
        let points = curves.flatMap(\.points)
        let x = LogAxis(points.map { Double($0.entries) }, from: Self.left, width: Self.plotWidth, endsAreRound: true)
        // At least a factor of 2 is shown, so that a few percent look like a few percent.
        let centre = Quantiles.median(points.map(\.nanoseconds)) ?? 1
        let y = LogAxis(
            points.map(\.nanoseconds) + [centre * 1.41, centre / 1.41], from: 0, width: Self.plotHeight,
            endsAreRound: true)
        func down(_ value: Double) -> Double { Self.top + Self.plotHeight - y.coordinate(of: value) }
        var svg =
            "<svg viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\" aria-label=\"\(Markup.escape(family)): time per unit by size\">\n"
        svg += "<text x=\"0\" y=\"16\" class=\"title\">\(Markup.escape(family))</text>\n"
        svg +=
            "<rect class=\"frame\" x=\"\(Self.left)\" y=\"\(Self.top)\" width=\"\(Self.plotWidth)\" height=\"\(Self.plotHeight)\"/>"
        for tick in y.ticks {
            svg +=
                "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.left + Self.plotWidth)\" y1=\"\(Figures.fixed(down(tick), 1))\" y2=\"\(Figures.fixed(down(tick), 1))\"/>"
            svg +=
                "<text class=\"tick\" text-anchor=\"end\" x=\"\(Self.left - 6)\" y=\"\(Figures.fixed(down(tick) + 4, 1))\">\(Figures.time(tick))</text>\n"
        }
        for size in Self.sizes(x) {
            svg +=
                "<text class=\"tick\" text-anchor=\"middle\" x=\"\(Figures.fixed(x.coordinate(of: size), 1))\" y=\"\(Self.top + Self.plotHeight + 18)\">\(Figures.fixed(size, 0))</text>"
        }
        svg +=
            "<text class=\"tick\" text-anchor=\"middle\" x=\"\(Self.left + Self.plotWidth / 2)\" y=\"\(Self.top + Self.plotHeight + 36)\">entries</text>\n"
        for (index, curve) in curves.enumerated() {
            let style = index % 6
            let path = curve.points.map {
                "\(Figures.fixed(x.coordinate(of: Double($0.entries)), 1)),\(Figures.fixed(down($0.nanoseconds), 1))"
            }.joined(separator: " ")
            svg += "<polyline class=\"curve c\(style)\" stroke-dasharray=\"\(Self.dashes[style])\" points=\"\(path)\"/>"
            for point in curve.points {
                svg += Self.marker(style, x.coordinate(of: Double(point.entries)), down(point.nanoseconds))
            }
            let legendY = Self.top + 8 + Double(index) * 36
            let legendX = Self.left + Self.plotWidth + 16
            svg +=
                "<line class=\"curve c\(style)\" stroke-dasharray=\"\(Self.dashes[style])\" x1=\"\(legendX)\" x2=\"\(legendX + 24)\" y1=\"\(legendY)\" y2=\"\(legendY)\"/>"
            svg += Self.marker(style, legendX + 12, legendY)
            svg +=
                "<text class=\"legend\" x=\"\(legendX + 30)\" y=\"\(legendY + 4)\">\(Markup.escape(curve.arm.name))</text>\n"
            svg +=
                "<text class=\"tick\" x=\"\(legendX + 30)\" y=\"\(legendY + 19)\">\(Markup.escape(GrowthTable.exponent(curve)))</text>\n"
        }
        return svg + "</svg>\n"
    }

    /// The round numbers of entries below the plot; only powers of ten where more would not fit.
    private static func sizes(_ axis: LogAxis) -> [Double] {
        let ticks = axis.ticks
        guard ticks.count > 4 else {
            return ticks
        }
        return ticks.filter { tick in (0...9).contains { Exponential.power(10, Double($0)).rounded() == tick.rounded() }
        }
    }

    private static let dashes = ["none", "6 3", "2 3", "8 3 2 3", "1 4", "12 4"]

    private static func marker(_ style: Int, _ x: Double, _ y: Double) -> String {
        let cx = Figures.fixed(x, 1)
        let cy = Figures.fixed(y, 1)
        switch style % 3 {
        case 0: return "<circle class=\"marker c\(style)\" cx=\"\(cx)\" cy=\"\(cy)\" r=\"4\"/>"
        case 1:
            return
                "<rect class=\"marker c\(style)\" x=\"\(Figures.fixed(x - 4, 1))\" y=\"\(Figures.fixed(y - 4, 1))\" width=\"8\" height=\"8\"/>"
        default:
            return
                "<polygon class=\"marker c\(style)\" points=\"\(cx),\(Figures.fixed(y - 5, 1)) \(Figures.fixed(x + 5, 1)),\(Figures.fixed(y + 4, 1)) \(Figures.fixed(x - 5, 1)),\(Figures.fixed(y + 4, 1))\"/>"
        }
    }
}
