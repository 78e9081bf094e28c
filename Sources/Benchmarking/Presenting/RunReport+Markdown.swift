extension RunReport {
    /// The report as Markdown.
    package var markdown: String {
        var text = "## Benchmark \(report.record.id)\n\n"
        for (name, value) in facts {
            text += "- \(name): \(value)\n"
        }
        for fault in report.record.faults {
            text += "\n**Invalid:** \(fault)\n"
        }
        for line in DecidingRows.lines(report.record, report.rows) {
            text += "\n**\(line)**\n"
        }
        for group in groups {
            var table = TextTable([
                ("cell", .left), ("base takes", .right), ("arm takes", .right), ("ratio [95 %]", .right),
                ("verdict", .left),
            ])
            for row in group.rows {
                table.add([
                    row.cellID, row.baseMedian.map { Figures.time($0) } ?? "",
                    row.armMedian.map { Figures.time($0) } ?? "",
                    row.estimate.map { Figures.ratio($0) } ?? "?",
                    Self.mark(row.verdict) + (row.reason.isEmpty ? "" : ": \(row.reason)"),
                ])
            }
            text += "\n### \(group.title)\n\n" + table.markdown
        }
        if let table = DifferenceTable.make(report.rows) {
            text += "\n### Differences to another build\n\n\(DifferenceTable.meaning)\n\n" + table.markdown
        }
        if let waiting = WaitingText.line(report.rows) {
            text += "\n\(waiting)\n"
        }
        for line in DifferenceTable.suite(report.record.suite) {
            text += "\n\(line)\n"
        }
        if let table = GrowthTable.make(curves) {
            text += "\n### Growth\n\nn^0 is independent of the size, n^1 in proportion to it.\n\n" + table.markdown
        }
        if let table = ClaimTable.make(claims) {
            text += "\n### Claims\n\n" + table.markdown
        }
        return text
    }
}
