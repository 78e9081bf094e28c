/// Lays cells out in columns of a fixed-width font: texts to the left, figures to the right.
package struct TextTable: Sendable {
    package enum Alignment: Sendable { case left, right }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    package mutating func add(_ row: [String]) { rows.append(row) }

    /// A line for each row below a header and a rule; no spaces at line ends.
    package var text: String { text(within: nil) }

    /// The same, with the widest columns folded until a line has at most `width` characters, if that is possible.
    package func text(within width: Int?) -> String {
        let natural = columns.indices.map { column in
            ([columns[column].title] + rows.map { $0[column] }).map(\.count).max() ?? 0
        }
        let widths = width.map { FoldedText.widths(natural, within: $0 - 2 * (columns.count - 1)) } ?? natural
        func folded(_ cells: [String]) -> [[String]] {
            let pieces = cells.indices.map { FoldedText.lines(cells[$0], width: widths[$0]) }
            let height = pieces.map(\.count).max() ?? 1
            return (0..<height).map { line in pieces.map { line < $0.count ? $0[line] : "" } }
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let gap = String(repeating: " ", count: max(0, widths[column] - cells[column].count))
                return columns[column].alignment == .left ? cells[column] + gap : gap + cells[column]
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " {
                line.removeLast()
            }
            return line + "\n"
        }
        let lines =
            folded(columns.map(\.title)) + [widths.map { String(repeating: "-", count: $0) }] + rows.flatMap(folded)
        return lines.map(line).joined()
    }

    /// The same as an HTML table.
    var html: String { Markup.table(columns.map(\.title), rows) }

    /// The same as a Markdown table.
    package var markdown: String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        return line(columns.map(\.title)) + line(columns.map { $0.alignment == .left ? "---" : "---:" })
            + rows.map(line).joined()
    }
}
