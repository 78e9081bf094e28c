/// Draws ratios with their intervals, one line each, on a logarithmic axis; with the figures next to them, so that
/// nothing depends on colour.
struct ForestPlot {
    let title: String
    let rows: [SummaryRow]

    private static let lineHeight = 24.0
    private static let plotWidth = 360.0
    private static let textWidth = 300.0
    private static let top = 34.0

    /// Room for the longest label: about 7 units for each letter in the page's font, and never less than most plots
    /// need, so that plots are aligned.
    private var labelWidth: Double { max(290, Double(rows.map(\.cellID.count).max() ?? 0) * 7 + 20) }

    var svg: String {
        let shown = rows.filter { $0.estimate != nil && $0.verdict != .invalid }
        let values =
            shown.flatMap { row in
                [row.estimate?.ratio, row.estimate?.interval?.low, row.estimate?.interval?.high].compactMap { $0 }
            } + [0.9, 1.1]
        let axis = LogAxis(values, from: labelWidth, width: Self.plotWidth)
        let height = Self.top + Double(rows.count) * Self.lineHeight + 12
        let width = labelWidth + Self.plotWidth + Self.textWidth
        var svg =
            "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(Markup.escape(title)), ratios with intervals\">\n"
        for tick in axis.ticks {
            let x = Figures.fixed(axis.place(tick), 1)
            let one = tick == 1
            svg +=
                "<line class=\"\(one ? "one" : "grid")\" x1=\"\(x)\" y1=\"\(Self.top - 8)\" x2=\"\(x)\" y2=\"\(height - 8)\"/>"
            svg +=
                "<text class=\"tick\" x=\"\(x)\" y=\"\(Self.top - 14)\" text-anchor=\"middle\">\(tick == tick.rounded() ? Figures.fixed(tick, 0) : Figures.fixed(tick, tick * 10 == (tick * 10).rounded() ? 1 : 2))</text>\n"
        }
        for (place, row) in rows.enumerated() {
            svg += line(row, y: Self.top + (Double(place) + 0.5) * Self.lineHeight, axis)
        }
        return svg + "</svg>\n"
    }

    private func line(_ row: SummaryRow, y: Double, _ axis: LogAxis) -> String {
        var svg = "<text x=\"0\" y=\"\(y + 4)\">\(Markup.escape(row.cellID))</text>"
        if let estimate = row.estimate, row.verdict != .invalid {
            if let interval = estimate.interval {
                let low = Figures.fixed(axis.place(interval.low), 1)
                let high = Figures.fixed(axis.place(interval.high), 1)
                svg += "<line class=\"interval\" x1=\"\(low)\" y1=\"\(y)\" x2=\"\(high)\" y2=\"\(y)\"/>"
                for end in [low, high] {
                    svg += "<line class=\"interval\" x1=\"\(end)\" y1=\"\(y - 4)\" x2=\"\(end)\" y2=\"\(y + 4)\"/>"
                }
            }
            svg +=
                "<rect class=\"point\" x=\"\(Figures.fixed(axis.place(estimate.ratio) - 4, 1))\" y=\"\(y - 4)\" width=\"8\" height=\"8\"/>"
        }
        let text = (row.estimate.map { Figures.ratio($0) } ?? "no figure") + "  " + RunReport.mark(row.verdict)
        return svg
            + "<text class=\"figure\" x=\"\(labelWidth + Self.plotWidth + 14)\" y=\"\(y + 4)\">\(Markup.escape(text))</text>\n"
    }
}

/// Maps positive numbers to coordinates on a line, by their logarithms.
struct LogAxis {
    private let least: Double
    private let most: Double
    private let low: Double
    private let high: Double
    private let start: Double
    private let width: Double

    init(_ values: [Double], from start: Double, width: Double) {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        least = positive.min() ?? 0.5
        most = positive.max() ?? 2
        low = Exponential.log(least / 1.05)
        high = Exponential.log(most * 1.05)
        self.start = start
        self.width = width
    }

    func place(_ value: Double) -> Double {
        guard value > 0, value.isFinite else {
            return start
        }
        return start + width * min(1, max(0, (Exponential.log(value) - low) / max(high - low, 1e-9)))
    }

    /// Round numbers within the axis, not too many; the ends of the axis if there are too few.
    var ticks: [Double] {
        var all: [Double] = []
        for power in -9...12 {
            for digit in [1.0, 2, 5] {
                all.append(digit * Exponential.power(10, Double(power)))
            }
        }
        let within = all.filter { Exponential.log($0) >= low - 1e-9 && Exponential.log($0) <= high + 1e-9 }
        if within.count < 2 {
            return most / least > 1.02
                ? [least] + within.filter { $0 / least > 1.1 && most / $0 > 1.1 } + [most] : [least]
        }
        if within.count <= 8 {
            return within
        }
        let tens = within.filter { value in all.enumerated().contains { $0.element == value && $0.offset % 3 == 0 } }
        return tens.count <= 8 ? tens : tens.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }
}
