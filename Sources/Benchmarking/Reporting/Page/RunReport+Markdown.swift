extension RunReport {
    /// The report as Markdown.
    public var markdown: String {
        var text = "## Benchmark \(report.record.id)\n\n"
        for (name, value) in facts { text += "- \(name): \(value)\n" }
        for fault in report.record.faults { text += "\n**Invalid:** \(fault)\n" }
        for group in groups {
            var table = TextTable([("cell", .left), ("base takes", .right), ("arm takes", .right), ("ratio [95 %]", .right), ("verdict", .left)])
            for row in group.rows {
                table.add([
                    row.cellID, row.baseMedian.map { Figures.time($0) } ?? "", row.armMedian.map { Figures.time($0) } ?? "",
                    row.estimate.map { Figures.ratio($0) } ?? "?", Self.mark(row.verdict) + (row.reason.isEmpty ? "" : ": \(row.reason)"),
                ])
            }
            text += "\n### \(group.title)\n\n" + table.markdown
        }
        if !curves.isEmpty {
            var table = TextTable([("work", .left), ("arm", .left), ("sizes", .left), ("exponent of the time per unit", .right)])
            for curve in curves {
                table.add([
                    curve.family, curve.arm.name, curve.points.map { String($0.entries) }.joined(separator: " "),
                    curve.fit.map { Figures.fixed($0.exponent, 2) } ?? "?",
                ])
            }
            text += "\n### Growth\n\n0 is independent of the size, 1 linear.\n\n" + table.markdown
        }
        if let table = ClaimTable.make(claims) { text += "\n### Claims\n\n" + table.markdown }
        return text
    }
}
