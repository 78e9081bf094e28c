import JSONText
import Soups

/// A form in which a run's result is printed: for people, for a page of a CI step, for programs.
package enum RunFormat: String, Sendable, CaseIterable {
    /// Tables for a terminal.
    case text
    case markdown
    /// The rows of summary.csv.
    case csv
    /// The same rows as an array of objects; what was not measured is null.
    case json
    /// A test case for each row: invalid is an error, a regression a failure, inconclusive skipped.
    case junit

    /// - Parameter width: The columns of the terminal, for text.
    package func make(
        _ cells: [PlannedCell], _ outcome: BenchmarkRun.Outcome, folder: String, catalogue: any CellCatalogue,
        width: Int? = nil
    ) -> String {
        switch self {
        case .text: RunText.make(cells, outcome, folder: folder, width: width)
        case .markdown:
            RunReport(
                StoredReport(record: outcome.record, rows: outcome.rows), samples: outcome.samples, history: [],
                catalogue: catalogue
            ).markdown
        case .csv: String(decoding: SummaryFile.write(outcome.rows, run: outcome.record.id), as: UTF8.self)
        case .json: Self.json(outcome.rows, run: outcome.record.id)
        case .junit: Self.junit(outcome.rows, run: outcome.record.id)
        }
    }

    static func json(_ rows: [SummaryRow], run: String) -> String {
        json(SummaryFile.write(rows, run: run), SummaryFile.file.descriptions)
    }

    /// The fields are those of the CSV, so that both say the same, with the types of its columns.
    static func json(_ csv: [UInt8], _ columns: [ColumnDescription]) -> String {
        guard let table = try? CSVTable(csv) else {
            return "[]\n"
        }
        let objects = table.rows.map { record in
            JSONValue.object(
                JSONObject(
                    zip(columns, record).map { column, field -> (String, JSONValue) in
                        if field.isEmpty {
                            return (column.name, column.type == .string ? .string("") : .null)
                        }
                        switch column.type {
                        case .integer, .number:
                            return (
                                column.name, (Double(field).flatMap { JSONNumber($0) }).map { .number($0) } ?? .null
                            )
                        case .boolean: return (column.name, .bool(field == "1"))
                        case .string: return (column.name, .string(field))
                        }
                    }))
        }
        return String(decoding: JSONValue.array(objects).bytes(.pretty), as: UTF8.self) + "\n"
    }

    static func junit(_ rows: [SummaryRow], run: String) -> String {
        var suite = JUnitSuite(name: "soup bench \(run)")
        for row in rows {
            let figure = row.estimate.map { Figures.ratio($0) } ?? "no figure"
            let message = row.reason.isEmpty ? figure : "\(figure): \(row.reason)"
            let finding: JUnitSuite.Finding =
                switch row.verdict {
                case .invalid: .error(message)
                case .slower where RunJudge.gates(.init(row.baseArm, row.arm)): .failure(message)
                case .inconclusive: .skipped(message)
                case .slower, .faster, .same: .passed
                }
            suite.add(classname: row.workload, name: row.key, finding)
        }
        return suite.text
    }
}
