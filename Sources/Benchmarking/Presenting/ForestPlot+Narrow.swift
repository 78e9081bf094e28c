extension ForestPlot {
    /// The plot for a page of any width: next to each other on a screen, below each other on a phone.
    var html: String {
        "<div class=\"on-screen\">\(svg)</div><div class=\"on-phone\">\(narrow)</div>\n"
    }

    private static let phoneWidth = 350.0
    private static let textLine = 18.0

    /// The name of a row, its figures, and its bar below each other.
    private var narrow: String {
        let axis = axis(from: 0, width: Self.phoneWidth)
        let names = rows.map { FoldedText.lines($0.cellID, width: 46) }
        let heights = names.map { Double($0.count + 1) * Self.textLine + 24 }
        let height = Self.top + heights.reduce(0, +) + 4
        var svg =
            "<svg viewBox=\"0 0 \(Self.phoneWidth) \(height)\" role=\"img\" aria-label=\"\(Markup.escape(title)), ratios with intervals\">\n"
        svg += grid(axis, height: height)
        var y = Self.top
        for (index, row) in rows.enumerated() {
            for (line, text) in (names[index] + [figure(row)]).enumerated() {
                let style = line == names[index].count ? " class=\"figure\"" : ""
                svg +=
                    "<text\(style) x=\"0\" y=\"\(y + Double(line + 1) * Self.textLine - 4)\">\(Markup.escape(text))</text>\n"
            }
            y += heights[index]
            svg += bar(row, y: y - 14, axis)
        }
        return svg + "</svg>\n"
    }
}
