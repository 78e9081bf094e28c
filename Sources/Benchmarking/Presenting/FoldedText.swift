/// Folds texts into columns of a terminal.
enum FoldedText {
    /// Columns are not made narrower than this.
    private static let narrowest = 12

    /// Takes characters from the widest column, one after another, until all columns fit.
    static func widths(_ natural: [Int], within width: Int) -> [Int] {
        var widths = natural
        while widths.reduce(0, +) > width, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > narrowest
        {
            widths[widest] -= 1
        }
        return widths
    }

    /// The text in lines of at most `width` characters: broken after a space, `/`, `;`, `,` or `-`, or anywhere if
    /// there is none of them.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var rest = Array(text)
        while rest.count > width, width > 0 {
            let end = rest[..<width].lastIndex { " /;,-".contains($0) }.map { $0 + 1 } ?? width
            lines.append(String(rest[..<end]).trimmedAtEnd)
            rest = Array(rest[end...].drop { $0 == " " })
        }
        return lines + [String(rest)]
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " {
            text.removeLast()
        }
        return text
    }
}
