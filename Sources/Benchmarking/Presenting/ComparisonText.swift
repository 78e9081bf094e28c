import Soups

/// Writes a comparison of two runs for people: first what gates, then what is only informational.
struct ComparisonText {
    private let report: ComparisonReport
    private let isMarkdown: Bool

    init(_ report: ComparisonReport, isMarkdown: Bool) {
        self.report = report
        self.isMarkdown = isMarkdown
    }

    private var comparison: RunComparison { report.comparison }

    func make() -> String {
        let red = report.regressions
        let listed = comparison.rows.filter { $0.isListed && $0.verdict != .invalid }
        let isMore = { (row: RunComparison.Row) in (row.change?.ratio ?? 1) > 1 }
        var text = heading
        text += table("INVALID:", comparison.rows.filter { $0.verdict == .invalid })
        text += table("REGRESSIONS, confirmed:", red)
        text += table("Slower here, not confirmed:", listed.filter { $0.gates && isMore($0) && !red.contains($0) })
        text += table("Better; accept a new report to keep it:", listed.filter { $0.gates && !isMore($0) })
        text += table("Informational (does not affect the result):", listed.filter { !$0.gates })
        if listed.contains(where: { $0.kind == .ratio }) {
            let ratios = comparison.rows.count { $0.chanceShare != nil }
            text += paragraph(
                "Of the ratios listed above at most \(Figures.share(MultipleTests.listedShare)) are expected to be there by chance (Benjamini-Hochberg over \(ratios) ratios; the column chance is the share up to that row). Times have no intervals."
            )
        }
        return text + summary
    }

    private var heading: String {
        var lines = [
            "new:    run \(report.new.id), commit \(report.new.commit)",
            "stored: run \(report.stored.id), commit \(report.stored.commit)",
        ]
        lines.append(
            comparison.kinds == [.counter]
                ? "Exact counters only; times and ratios are not compared."
                : comparison.isSameMachine
                    ? "Same kind of machine: ratios and counters gate, times are informational."
                    : "Another kind of machine: counters gate; ratios are informational, with twice their margin; times are not compared."
        )
        if ByteKey(report.new.libraries) != ByteKey(report.stored.libraries) {
            lines.append("libraries here:          \(report.new.libraries)")
            lines.append("libraries of the stored: \(report.stored.libraries)")
        }
        if let change = comparison.timeChange {
            lines.append(
                "Times are \(Figures.ratio(change)) times the stored ones, by the median over all rows; the change of each is divided by this."
            )
        }
        return isMarkdown
            ? "## Benchmark check\n\n" + lines.map { "- \($0)\n" }.joined() : lines.map { $0 + "\n" }.joined()
    }

    private func table(_ title: String, _ rows: [RunComparison.Row]) -> String {
        guard !rows.isEmpty else {
            return ""
        }
        var table = TextTable([
            ("cell", .left), ("what", .left), ("arm", .left), ("stored", .right), ("now", .right), ("change", .right),
            ("chance", .right), ("verdict", .left),
            ("remark", .left),
        ])
        for row in rows {
            let show: (Double) -> String = { row.kind == .ratio ? Figures.ratio($0) : Figures.value($0, row.metric) }
            table.add([
                row.cellID, row.kind == .counter ? row.metric.name : row.kind.rawValue, row.arms, show(row.stored),
                row.new.map(show) ?? "",
                row.change.map { Figures.ratio($0) } ?? "", row.chanceShare.map { Figures.share($0) } ?? "",
                verdict(row), row.reason,
            ])
        }
        return isMarkdown ? "\n### \(title.dropLast())\n\n\(table.markdown)" : "\n\(title)\n\(table.text)"
    }

    private func verdict(_ row: RunComparison.Row) -> String {
        guard row.kind == .counter else {
            return row.verdict.rawValue
        }
        return row.verdict == .slower ? "more" : row.verdict == .faster ? "less" : row.verdict.rawValue
    }

    /// Everything after the tables.
    private var summary: String {
        suite + spreads + counts + incomparable + missing
            + (DecidingRows.lines(report) + outcome).map(line).joined()
    }

    /// The verdict about the suite as a whole.
    private var suite: String {
        guard let suite = comparison.suite else {
            return ""
        }
        let isRed = comparison.isSuiteSlower(confirmedBy: report.second)
        let gate =
            !suite.gates ? ", informational" : isRed ? ", confirmed" : suite.isRegression ? " here, not confirmed" : ""
        return paragraph(
            "The suite as a whole: \(Figures.mean(suite.estimate)) over \(suite.rows) ratios, \(suite.verdict.rawValue)\(gate)"
        )
    }

    /// What is known of the spread of ratios, margins that it widened, and ratios that crept.
    private var spreads: String {
        let ratios = comparison.rows.filter { $0.kind == .ratio }
        guard !ratios.isEmpty else {
            return ""
        }
        let known = ratios.count { $0.isSpreadKnown }
        let spread = paragraph(
            "The spread of ratios between runs is known from accepted reports for \(known) of \(ratios.count); \(Figures.share(StoredRatio.unknownSpread)) is assumed for the others."
        )
        let widened = ratios.compactMap { row in
            row.widenedFrom.map { usual in
                line(
                    "margin widened from \(Figures.share(usual.share)) to \(Figures.share(row.margin.share)), 3 times what one arm against itself showed: \(row.cellID) \(row.arms)"
                )
            }
        }
        let crept = ratios.compactMap { row in
            row.creep.map { creep in
                line(
                    "crept: \(row.cellID) \(row.arms) is \(Figures.ratio(creep)) times what the first accepted reports had, in steps that are each within its margin"
                )
            }
        }
        return spread + widened.joined() + crept.joined()
    }

    /// How many rows gate, by verdict.
    private var counts: String {
        let gating = comparison.rows.filter(\.gates)
        guard !gating.isEmpty else {
            return paragraph("No row gates.")
        }
        let counts = Verdict.allCases.map { verdict in (verdict, gating.count { $0.verdict == verdict }) }
        let texts = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }
        return paragraph("\(gating.count) rows gate: " + texts.joined(separator: ", "))
    }

    /// The cells that cannot be compared, with one line for each reason: after a change of a library it is the same for
    /// every cell.
    private var incomparable: String {
        var reasons: [(reason: String, cells: [String])] = []
        for one in comparison.incomparable {
            if let index = reasons.firstIndex(where: { ByteKey($0.reason) == ByteKey(one.reason) }) {
                reasons[index].cells.append(one.cellID)
            } else {
                reasons.append((one.reason, [one.cellID]))
            }
        }
        let lines = reasons.map { line("incomparable: \($0.cells.joined(separator: ", ")): \($0.reason)") }.joined()
        guard comparison.rows.isEmpty else {
            return lines
        }
        let reason =
            comparison.incomparable.isEmpty
            ? "The runs have no cell in common." : "Nothing of the run can be compared with the stored one."
        return lines
            + paragraph(
                reason
                    + " Accept the new run to compare later ones with it (soup report accept RUN), or name another: soup check --against DIR."
            )
    }

    /// What was not compared, and faults of the run.
    private var missing: String {
        var text = ""
        for (what, cells) in [
            ("not measured here", comparison.notMeasured), ("not in the stored run", comparison.notStored),
        ] where !cells.isEmpty {
            text += line("\(what): \(cells.joined(separator: ", "))")
        }
        for fault in report.faults {
            text += line("INVALID: \(fault)")
        }
        if !comparison.coverage.thin.isEmpty {
            text += line("too few pairs to compare ratios: \(comparison.coverage.thin.joined(separator: ", "))")
        }
        return text
    }

    /// The last line; empty if the check has no outcome.
    private var outcome: [String] {
        report.outcome.map { ["check: \($0), \(comparison.coverage)\(ofTimes)"] } ?? []
    }

    /// What the last line says of times that changed as a whole, which no ratio of two arms shows.
    private var ofTimes: String {
        guard let change = comparison.timeChange, change > Self.worthSaying.upper || change < Self.worthSaying.lower
        else {
            return ""
        }
        return ", times are \(Figures.ratio(change)) times the stored ones"
    }

    private static let worthSaying = Margin(0.10)

    private func paragraph(_ text: String) -> String { "\n\(text)\n" }
    private func line(_ text: String) -> String { isMarkdown ? "- \(text)\n" : text + "\n" }
}
