import FoundationEssentials

/// The sections, tables and examples of `Corpora/FORMAT.md`.
struct ContractDocument {
    /// A row of a table: its cells as text.
    typealias Row = [String]

    private let lines: [String]

    init() throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: Corpora.folder + "/FORMAT.md")), as: UTF8.self)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines from a heading of the second level to the next one.
    func section(_ title: String) -> [String] {
        Array(lines.drop { $0 != "## " + title }.dropFirst().prefix { !$0.hasPrefix("## ") })
    }

    /// The rows of all tables in a section whose first column has this heading.
    func rows(in title: String, under heading: String) -> [Row] {
        var rows: [Row] = []
        var isWanted = false
        for line in section(title) {
            guard line.hasPrefix("|") else {
                isWanted = false
                continue
            }
            let cells = Self.cells(of: line)
            if cells.first == heading {
                isWanted = true
            } else if isWanted, cells.first?.hasPrefix("---") == false {
                rows.append(cells)
            }
        }
        return rows
    }

    /// The examples: the lines of each block marked `jsonl`, with the capability that follows the mark.
    var examples: [(capability: String?, lines: [String])] {
        var examples: [(capability: String?, lines: [String])] = []
        var isInside = false
        for line in lines {
            if line.hasPrefix("```jsonl") {
                let rest = line.dropFirst("```jsonl".count).drop { $0 == " " }
                examples.append((rest.isEmpty ? nil : String(rest), []))
                isInside = true
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside {
                examples[examples.count - 1].lines.append(line)
            }
        }
        return examples
    }

    /// The words in back quotes, in order.
    static func words(in text: String) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    private static func cells(of line: String) -> Row {
        line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast().map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}
