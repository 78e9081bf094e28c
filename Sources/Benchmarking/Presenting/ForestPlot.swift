/// Draws ratios with their intervals, one line each, on a logarithmic axis; with the figures next to them, so that
/// nothing depends on colour.
struct ForestPlot {
    let title: String
    let rows: [SummaryRow]

    private static let lineHeight = 24.0
    private static let plotWidth = 360.0
    private static let textWidth = 300.0
    static let top = 34.0

    /// Room for the longest label: about 7 units for each letter in the page's font, and never less than most plots
    /// need, so that plots are aligned.
    private var labelWidth: Double { max(290, Double(rows.map(\.cellID.count).max() ?? 0) * 7 + 20) }

    var svg: String {
        let axis = axis(from: labelWidth, width: Self.plotWidth)
        let height = Self.top + Double(rows.count) * Self.lineHeight + 12
        let width = labelWidth + Self.plotWidth + Self.textWidth
        var svg =
            "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(Markup.escape(title)), ratios with intervals\">\n"
        svg += grid(axis, height: height)
        for (index, row) in rows.enumerated() {
            svg += line(row, y: Self.top + (Double(index) + 0.5) * Self.lineHeight, axis)
        }
        return svg + "</svg>\n"
    }

    /// A logarithmic axis for all rows, which shows at least a tenth to each side of 1.
    func axis(from start: Double, width: Double) -> LogAxis {
        let shown = rows.filter { $0.estimate != nil && $0.verdict != .invalid }
        let values = shown.flatMap { row in
            [row.estimate?.ratio, row.estimate?.interval?.low, row.estimate?.interval?.high].compactMap { $0 }
        }
        return LogAxis(values + [0.9, 1.1], from: start, width: width)
    }

    /// The upright lines at round ratios, with their numbers at the top.
    func grid(_ axis: LogAxis, height: Double) -> String {
        var svg = ""
        for tick in axis.ticks {
            let x = Figures.fixed(axis.coordinate(of: tick), 1)
            let one = tick == 1
            svg +=
                "<line class=\"\(one ? "one" : "grid")\" x1=\"\(x)\" y1=\"\(Self.top - 8)\" x2=\"\(x)\" y2=\"\(height - 8)\"/>"
            svg +=
                "<text class=\"tick\" x=\"\(x)\" y=\"\(Self.top - 14)\" text-anchor=\"middle\">\(tick == tick.rounded() ? Figures.fixed(tick, 0) : Figures.fixed(tick, tick * 10 == (tick * 10).rounded() ? 1 : 2))</text>\n"
        }
        return svg
    }

    private func line(_ row: SummaryRow, y: Double, _ axis: LogAxis) -> String {
        "<text x=\"0\" y=\"\(y + 4)\">\(Markup.escape(row.cellID))</text>" + bar(row, y: y, axis)
            + "<text class=\"figure\" x=\"\(labelWidth + Self.plotWidth + 14)\" y=\"\(y + 4)\">\(Markup.escape(figure(row)))</text>\n"
    }

    /// `1.57 [1.52, 1.61]` and the verdict.
    func figure(_ row: SummaryRow) -> String {
        (row.estimate.map { Figures.ratio($0) } ?? "no figure") + "  " + RunReport.mark(row.verdict)
    }

    /// The estimate and its interval; nothing for a row without a figure.
    func bar(_ row: SummaryRow, y: Double, _ axis: LogAxis) -> String {
        var svg = ""
        if let estimate = row.estimate, row.verdict != .invalid {
            if let interval = estimate.interval {
                let low = Figures.fixed(axis.coordinate(of: interval.low), 1)
                let high = Figures.fixed(axis.coordinate(of: interval.high), 1)
                svg += "<line class=\"interval\" x1=\"\(low)\" y1=\"\(y)\" x2=\"\(high)\" y2=\"\(y)\"/>"
                for end in [low, high] {
                    svg += "<line class=\"interval\" x1=\"\(end)\" y1=\"\(y - 4)\" x2=\"\(end)\" y2=\"\(y + 4)\"/>"
                }
            }
            svg +=
                "<rect class=\"point\" x=\"\(Figures.fixed(axis.coordinate(of: estimate.ratio) - 4, 1))\" y=\"\(y - 4)\" width=\"8\" height=\"8\"/>"
        }
        return svg
    }
}
