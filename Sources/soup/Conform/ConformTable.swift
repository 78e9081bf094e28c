import Benchmarking
import Conformance
import JSONText

/// Rows with a header, in the formats of `--format`.
struct ConformTable {
    let header: [String]
    let rows: [[String]]

    /// JUnit's form exists only for results.
    func make(_ format: RunFormat) -> String {
        switch format {
        case .text, .junit: lines
        case .markdown: markdown
        case .csv: ConformanceReport.table(header, rows)
        case .json: json
        }
    }

    private var lines: String {
        // A detail may have what another program has sent.
        let lines = ([header] + rows).map { $0.map(InspectText.visible) }
        let widths = header.indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        return lines.map { row in
            let cells = zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    private var markdown: String {
        func line(_ cells: [String]) -> String {
            "| "
                + cells.map { cell in
                    InspectText.visible(cell).split(separator: "|", omittingEmptySubsequences: false)
                        .joined(separator: "\\|")
                }.joined(separator: " | ") + " |\n"
        }
        return line(header) + line(header.map { _ in "---" }) + rows.map(line).joined()
    }

    private var json: String {
        let objects = rows.map { row in
            JSONValue.object(JSONObject(zip(header, row).map { ($0, JSONValue.string($1)) }))
        }
        return String(decoding: JSONValue.array(objects).bytes(.pretty), as: UTF8.self) + "\n"
    }
}
