import JSONText
import Soups

/// Writes a run for a terminal: tables of ratios, differences, claims and growth, then what makes the run invalid, and
/// the names of the files.
package enum RunText {
    /// - Parameter width: The columns of the terminal, into which the tables are folded; nil if there is no terminal.
    package static func make(
        _ cells: [PlannedCell], _ outcome: BenchmarkRun.Outcome, folder: String, width: Int? = nil
    ) -> String {
        let record = outcome.record
        var text =
            "\nrun \(record.id): \(record.shard == .whole ? "" : "shard \(record.shard), ")profile \(record.profile.rawValue), commit \(record.commit), \(Figures.duration(record.seconds)), \(record.ending.rawValue)\n"
        text += "libraries: \(record.libraries)\n"
        text +=
            "Times are medians for one unit of work; ratios are Hodges-Lehmann estimates with exact 95 % intervals over pairs.\n\n"
        if let table = ComparisonTable.make(cells, rows: outcome.rows) {
            text += table.text(within: width)
        }
        if let others = ComparisonTable.others(cells, rows: outcome.rows) {
            text += "\n" + others.text(within: width)
        }
        if let list = DifferenceTable.make(outcome.rows) {
            text += "\nDifferences to another build. \(DifferenceTable.meaning)\n" + list.text(within: width)
        }
        if let waiting = WaitingText.line(outcome.rows) {
            text += "\n\(waiting)\n"
        }
        for line in DifferenceTable.suite(record.suite) {
            text += "\n\(line)\n"
        }
        if let claims = ClaimTable.make(outcome.claims.claims) {
            text += "\n" + claims.text(within: width)
        }
        // Two sizes give an exponent without a way to see whether the times follow it.
        if let growth = GrowthTable.make(outcome.claims.curves.filter { $0.points.count > 2 }) {
            text += "\n" + growth.text(within: width)
        }
        for reason in Self.leftOut(outcome) {
            text += "\nleft out: \(reason)\n"
        }
        if outcome.rows.contains(where: { $0.arm == .none && !$0.metric.isExact }) {
            let isMissing = record.details["missing"]?.array?.isEmpty == false
            text += "There is nothing to compare with: the table shows what each work takes by itself."
            text += isMissing ? " ci/setup installs a SQLCipher 4; SOUP_SQLCIPHER names another one.\n" : "\n"
        }
        for fault in record.faults {
            text += "\nINVALID: \(fault)\n"
        }
        if let memory = memory(record) {
            text += "\nmemory: \(memory)\n"
        }
        text += "\nfiles: \(folder)/samples.csv, summary.csv, claims.csv, growth.csv, manifest.csv, run.json\n"
        let answer = RunAnswer(outcome.rows, faults: record.faults).sentences
        for lines in [answer, DecidingRows.lines(outcome)] where !lines.isEmpty {
            text += "\n" + lines.joined(separator: "\n") + "\n"
        }
        return text
    }

    /// Each reason once, with the arms that it keeps out.
    private static func leftOut(_ outcome: BenchmarkRun.Outcome) -> [String] {
        var reasons: [(reason: String, arms: [String])] = []
        for one in outcome.unsupported {
            if let index = reasons.firstIndex(where: { ByteKey($0.reason) == ByteKey(one.reason) }) {
                reasons[index].arms.append(one.arm.name)
            } else {
                reasons.append((one.reason, [one.arm.name]))
            }
        }
        return reasons.map { "\($0.arms.joined(separator: ", ")): \($0.reason)" }
    }

    private static func memory(_ record: RunRecord) -> String? {
        let memory = record.details["memory"]
        guard let runner = memory?["runner_growth_bytes"]?.int64, let worker = memory?["worker_growth_bytes"]?.int64
        else {
            return nil
        }
        return
            "the runner grew by \(Figures.bytes(Double(runner))), the largest worker by \(Figures.bytes(Double(worker))) (\(memory?["worker_cell"]?.string ?? "?"))"
    }
}
