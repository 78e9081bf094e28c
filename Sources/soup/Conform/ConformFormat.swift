import Benchmarking
import Conformance

/// Prints the results of a run in the formats of `--format`.
struct ConformFormat {
    private let report: ConformanceReport

    init(_ report: ConformanceReport) { self.report = report }

    func make(_ format: RunFormat) -> String {
        switch format {
        case .text: text
        case .markdown: markdown
        case .csv: report.csv
        case .json: ConformTable(header: Self.header, rows: rows).make(.json)
        case .junit: junit
        }
    }

    private static let header = ["id", "area", "backend", "status", "code", "detail"]

    private var rows: [[String]] {
        report.results.map { [$0.id, $0.area, $0.backEnd, $0.status.rawValue, $0.code, $0.detail] }
    }

    private var text: String {
        let totals = report.backEnds.map { report.totalLine(backEnd: $0) }
        return (report.summaryLines + totals + report.skipLines + report.redLines).map { $0 + "\n" }.joined()
    }

    private var markdown: String {
        let totals = report.backEnds.map { "- " + report.totalLine(backEnd: $0) + "\n" }.joined()
        let red = report.results.filter(\.status.isRed).map { [$0.id, $0.backEnd, $0.status.rawValue, $0.detail] }
        let table = ConformTable(header: ["case", "on", "status", "detail"], rows: red).make(.markdown)
        return totals + "\n" + (red.isEmpty ? "Nothing is red.\n" : table)
    }

    private var junit: String {
        var suite = JUnitSuite(name: "soup conform")
        for result in report.results {
            let message = result.detail
            let finding: JUnitSuite.Finding =
                switch result.status {
                case .pass: .passed
                case .skip, .expectedFail: .skipped(message)
                case .fail, .unexpectedPass: .failure(message)
                case .error, .crash, .timeout: .error("\(result.status.rawValue): \(message)")
                }
            suite.add(classname: "\(result.backEnd).\(result.area)", name: result.id, finding)
        }
        return suite.text
    }
}
