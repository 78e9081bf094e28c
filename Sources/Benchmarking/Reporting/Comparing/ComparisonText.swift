/// Writes a comparison of two runs for people: what gates first, then what is told.
public enum ComparisonText {
    public static func make(_ comparison: RunComparison, confirmedBy second: RunComparison?) -> String {
        var text = comparison.isSameMachine
            ? "Same kind of machine: ratios and counters gate, times are told.\n"
            : "Another kind of machine: counters gate; ratios are told with twice their margin; times are not compared.\n"
        let red = comparison.regressions(confirmedBy: second)
        func table(_ title: String, _ rows: [RunComparison.Row]) {
            guard !rows.isEmpty else { return }
            var table = TextTable([
                ("cell", .left), ("what", .left), ("arm", .left), ("stored", .right), ("now", .right), ("change", .right), ("verdict", .left),
            ])
            for row in rows {
                let show: (Double) -> String = { row.kind == .ratio ? Figures.ratio($0) : Figures.value($0, row.metric) }
                table.add([
                    row.cellID, row.kind == .counter ? row.metric.name : row.kind.rawValue, row.arms, show(row.stored), show(row.new), Figures.ratio(row.change),
                    row.kind == .counter ? (row.verdict == .slower ? "more" : row.verdict == .faster ? "less" : row.verdict.rawValue) : row.verdict.rawValue,
                ])
            }
            text += "\n\(title)\n" + table.text
        }
        table("REGRESSIONS, confirmed:", red)
        table("Slower here, not confirmed:", comparison.rows.filter { $0.gates && $0.verdict == .slower && !red.contains($0) })
        table("Better; accept a new report to keep it:", comparison.rows.filter { $0.gates && $0.verdict == .faster })
        table("Told, not gating:", comparison.rows.filter { !$0.gates && ($0.verdict == .slower || $0.verdict == .faster) })
        let counts = Verdict.allCases.map { verdict in (verdict, comparison.rows.count { $0.gates && $0.verdict == verdict }) }.filter { $0.1 > 0 }
        text += "\n\(comparison.rows.count { $0.gates }) rows gate: " + counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ") + "\n"
        for one in comparison.incomparable { text += "incomparable: \(one.cellID): \(one.reason)\n" }
        return text
    }
}
