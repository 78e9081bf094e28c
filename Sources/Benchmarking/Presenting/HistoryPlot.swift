/// Draws how a ratio moved over the accepted reports, one line of the page for each row: a curve, steps to another
/// level as upright bars, and in figures where it began, where each step led, and where it ends.
struct HistoryPlot {
    struct Series {
        let label: String
        /// Ratios, oldest first; at least two.
        let ratios: [Double]
        /// The indexes of the first ratio of each new level.
        let steps: [Int]
    }

    let title: String
    let series: [Series]

    private static let lineHeight = 30.0
    private static let plotWidth = 260.0
    private static let textWidth = 300.0

    private var labelWidth: Double { max(290, Double(series.map(\.label.count).max() ?? 0) * 7 + 20) }

    /// The plot for a page of any width: a phone gets a list of the figures.
    var html: String {
        let items = series.map { "<li>\(Markup.escape($0.label)): \(Markup.escape(figures($0)))</li>" }.joined()
        return "<div class=\"on-screen\">\(svg)</div><ul class=\"on-phone\">\(items)</ul>\n"
    }

    private var svg: String {
        let width = labelWidth + Self.plotWidth + Self.textWidth
        let height = Double(series.count) * Self.lineHeight + 4
        var svg =
            "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(Markup.escape(title)), ratios over the accepted reports\">\n"
        for (index, one) in series.enumerated() {
            svg += line(one, top: Double(index) * Self.lineHeight + 2)
        }
        return svg + "</svg>\n"
    }

    private func line(_ series: Series, top: Double) -> String {
        let height = Self.lineHeight - 6
        // A tenth above and below the middle is always shown, so that noise looks as small as it is.
        let centre = Quantiles.median(series.ratios) ?? 1
        let scale = LogAxis(series.ratios + [centre * 1.1, centre / 1.1], from: 0, width: height)
        func x(_ step: Double) -> Double {
            labelWidth + 6 + (Self.plotWidth - 12) * step / Double(max(1, series.ratios.count - 1))
        }
        func y(_ ratio: Double) -> Double { top + height - scale.coordinate(of: ratio) }
        var svg = "<text x=\"0\" y=\"\(top + height / 2 + 4)\">\(Markup.escape(series.label))</text>"
        svg +=
            "<rect class=\"frame\" x=\"\(labelWidth)\" y=\"\(top)\" width=\"\(Self.plotWidth)\" height=\"\(height)\"/>"
        for step in series.steps {
            let middle = Figures.fixed(x(Double(step) - 0.5), 1)
            svg += "<line class=\"interval\" x1=\"\(middle)\" x2=\"\(middle)\" y1=\"\(top)\" y2=\"\(top + height)\"/>"
        }
        let points = series.ratios.enumerated().map {
            (x: Figures.fixed(x(Double($0.offset)), 1), y: Figures.fixed(y($0.element), 1))
        }
        svg += "<polyline class=\"curve c0\" points=\"\(points.map { "\($0.x),\($0.y)" }.joined(separator: " "))\"/>"
        for point in points {
            svg += "<circle class=\"marker c0\" cx=\"\(point.x)\" cy=\"\(point.y)\" r=\"2.5\"/>"
        }
        return svg
            + "<text class=\"figure\" x=\"\(labelWidth + Self.plotWidth + 14)\" y=\"\(top + height / 2 + 4)\">\(Markup.escape(figures(series)))</text>\n"
    }

    /// The ratio of each level; for a series with only one level its first and last ratio.
    private func figures(_ series: Series) -> String {
        guard !series.steps.isEmpty else {
            return [series.ratios.first, series.ratios.last].compactMap { $0.map { Figures.ratio($0) } }.joined(
                separator: " \u{2026} ")
        }
        let ends = series.steps + [series.ratios.count]
        let levels = zip([0] + series.steps, ends).compactMap { Quantiles.median(Array(series.ratios[$0..<$1])) }
        return levels.map { Figures.ratio($0) }.joined(separator: " | ")
            + (series.steps.count == 1 ? "  a step" : "  \(series.steps.count) steps")
    }
}
