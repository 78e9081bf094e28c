import CSVText
import JSONText
import OfflineStore
import Platform
import Soups

/// Writes rows as they come, in one of the formats: memory does not grow with their number.
final class RowOutput {
    private let format: InspectOutputOptions.Format
    private let sink: ResultSink
    private var names: [String] = []
    private var count = 0
    /// Rows of a table until its widths are known.
    private var waiting: [[String]] = []
    private var widths: [Int]?
    private let isTerminal = OpenFile.standardOutput.isTerminal

    private static let rowsBeforeWidths = 200
    private static let widest = 60

    init(_ format: InspectOutputOptions.Format, _ sink: ResultSink) {
        self.format = format
        self.sink = sink
    }

    /// Takes the names of the columns, before the first row.
    func begin(_ columns: [String]) throws(Fault) {
        names = Self.different(columns)
        switch format {
        case .json: try write("[")
        case .csv: try write(CSVText.record(columns.map(field)))
        case .table, .jsonl: break
        }
    }

    func add(_ cells: [StoreCell]) throws(Fault) {
        defer { count += 1 }
        switch format {
        case .json: try write((count == 0 ? "\n" : ",\n") + object(cells))
        case .jsonl: try write(object(cells) + "\n")
        case .csv: try write(CSVText.record(cells.map { field(InspectText.text($0)) }))
        case .table:
            let texts = cells.map { InspectText.visible(Self.short(InspectText.text($0))) }
            guard widths == nil else {
                return try write(line(texts))
            }
            waiting.append(texts)
            if waiting.count >= Self.rowsBeforeWidths {
                try writeTable()
            }
        }
    }

    func end() throws(Fault) {
        switch format {
        case .json: try write(count == 0 ? "]\n" : "\n]\n")
        case .table where widths == nil: try writeTable()
        default: break
        }
    }

    private func object(_ cells: [StoreCell]) -> String {
        let members = zip(names, cells).map { name, cell in
            InspectText.escapingControls(JSONValue.string(name).text()) + ":" + InspectText.json(cell)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The names, with numbers after those that came before: JSON has a name for each member.
    private static func different(_ columns: [String]) -> [String] {
        var taken = Set(columns)
        var seen: Set<String> = []
        return columns.map { name in
            guard !seen.insert(name).inserted else { return name }
            var number = 2
            while !taken.insert("\(name)_\(number)").inserted {
                number += 1
            }
            return "\(name)_\(number)"
        }
    }

    private func field(_ text: String) -> String {
        isTerminal ? InspectText.visible(text) : InspectText.escapingTerminalControls(text)
    }

    // MARK: - Tables

    private func writeTable() throws(Fault) {
        let natural = names.indices.map { column in
            max(1, ([InspectText.visible(names[column])] + waiting.map { $0[column] }).map(\.count).max() ?? 1)
        }
        var widths = natural.map { min($0, Self.widest) }
        let room = (OpenFile.standardOutput.terminalWidth ?? 160) - 2 * (widths.count - 1)
        // The widest columns give way.
        while widths.reduce(0, +) > room, let most = widths.max(), most > 8, let index = widths.firstIndex(of: most) {
            widths[index] -= 1
        }
        self.widths = widths
        try write(line(names.map(InspectText.visible)))
        try write(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n")
        for row in waiting {
            try write(line(row))
        }
        waiting = []
    }

    private func line(_ texts: [String]) -> String {
        var line = zip(texts, widths ?? []).map { text, width in
            text.count > width
                ? String(text.prefix(width - 1)) + "…" : text + String(repeating: " ", count: width - text.count)
        }.joined(separator: "  ")
        while line.last == " " {
            line.removeLast()
        }
        return line + "\n"
    }

    /// No more of a long text than a table can show.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 4 * widest ? text : String(text.prefix(widest + 1))
    }

    // MARK: - Writing

    private func write(_ text: String) throws(Fault) { try sink.write(text) }

    private func write(_ bytes: [UInt8]) throws(Fault) { try sink.write(bytes) }
}
