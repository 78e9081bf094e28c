import JSONText
import Soups

/// A form in which a run's result is printed: for people, for a page of a CI step, for programs.
public enum RunFormat: String, Sendable, CaseIterable {
    /// Tables for a terminal.
    case text
    case markdown
    /// The rows of summary.csv.
    case csv
    /// The same rows as an array of objects; what was not measured is null.
    case json
    /// A test case for each row: invalid is an error, a regression a failure, inconclusive skipped.
    case junit

    public func make(_ cells: [PlannedCell], _ outcome: BenchmarkRun.Outcome, folder: String) -> String {
        switch self {
        case .text: RunText.make(cells, outcome, folder: folder)
        case .markdown: RunReport(StoredReport(record: outcome.record, rows: outcome.rows), samples: outcome.samples, history: []).markdown
        case .csv: String(decoding: SummaryFile.write(outcome.rows, run: outcome.record.id), as: UTF8.self)
        case .json: Self.json(outcome.rows, run: outcome.record.id)
        case .junit: Self.junit(outcome.rows, run: outcome.record.id)
        }
    }

    /// The fields are those of the CSV, so that both say the same, with the types that `ReportSchema` gives them.
    static func json(_ rows: [SummaryRow], run: String) -> String {
        guard let table = try? CSVTable(SummaryFile.write(rows, run: run)) else { return "[]\n" }
        let objects = table.rows.map { record in
            JSONValue.object(
                JSONObject(
                    zip(ReportSchema.summary, record).map { column, field -> (String, JSONValue) in
                        if field.isEmpty { return (column.name, column.type == "string" ? .string("") : .null) }
                        switch column.type {
                        case "integer", "number": return (column.name, (Double(field).flatMap { JSONNumber($0) }).map { .number($0) } ?? .null)
                        case "boolean": return (column.name, .bool(field == "1"))
                        default: return (column.name, .string(field))
                        }
                    }))
        }
        return String(decoding: JSONValue.array(objects).bytes(.pretty), as: UTF8.self) + "\n"
    }

    static func junit(_ rows: [SummaryRow], run: String) -> String {
        var cases = ""
        var counts = (failures: 0, errors: 0, skipped: 0)
        for row in rows {
            let figure = row.estimate.map { Figures.ratio($0) } ?? "no figure"
            let message = Markup.escape(row.reason.isEmpty ? figure : "\(figure): \(row.reason)")
            cases += "  <testcase classname=\"\(Markup.escape(row.workload))\" name=\"\(Markup.escape(row.key))\""
            switch row.verdict {
            case .invalid:
                counts.errors += 1
                cases += "><error message=\"\(message)\"/></testcase>\n"
            case .slower where row.baseArm.build != nil:
                counts.failures += 1
                cases += "><failure message=\"\(message)\"/></testcase>\n"
            case .inconclusive:
                counts.skipped += 1
                cases += "><skipped message=\"\(message)\"/></testcase>\n"
            case .slower, .faster, .same: cases += "/>\n"
            }
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"soup bench \(Markup.escape(run))\" tests=\"\(rows.count)\" "
            + "failures=\"\(counts.failures)\" errors=\"\(counts.errors)\" skipped=\"\(counts.skipped)\">\n\(cases)</testsuite>\n"
    }
}
