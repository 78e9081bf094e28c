import Soups

/// Writes a comparison of two runs for people: what gates first, then what is told.
public enum ComparisonText {
    public static func make(_ comparison: RunComparison, confirmedBy second: RunComparison?) -> String {
        var text = comparison.kinds == [.counter] ? "Exact counters only: the clock is left out.\n" : comparison.isSameMachine
            ? "Same kind of machine: ratios and counters gate, times are told.\n"
            : "Another kind of machine: counters gate; ratios are told with twice their margin; times are not compared.\n"
        if let control = comparison.controlChange { text += "The control takes \(Figures.ratio(control)) times what it took then; changes of times are divided by that.\n" }
        let red = comparison.regressions(confirmedBy: second)
        func table(_ title: String, _ rows: [RunComparison.Row]) {
            guard !rows.isEmpty else { return }
            var table = TextTable([
                ("cell", .left), ("what", .left), ("arm", .left), ("stored", .right), ("now", .right), ("change", .right), ("verdict", .left), ("remark", .left),
            ])
            for row in rows {
                let show: (Double) -> String = { row.kind == .ratio ? Figures.ratio($0) : Figures.value($0, row.metric) }
                table.add([
                    row.cellID, row.kind == .counter ? row.metric.name : row.kind.rawValue, row.arms, show(row.stored), row.new.map(show) ?? "", row.change.map { Figures.ratio($0) } ?? "",
                    row.kind == .counter ? (row.verdict == .slower ? "more" : row.verdict == .faster ? "less" : row.verdict.rawValue) : row.verdict.rawValue,
                    row.reason,
                ])
            }
            text += "\n\(title)\n" + table.text
        }
        table("INVALID:", comparison.rows.filter { $0.verdict == .invalid })
        table("REGRESSIONS, confirmed:", red)
        table("Slower here, not confirmed:", comparison.rows.filter { $0.gates && $0.verdict == .slower && !red.contains($0) })
        table("Better; accept a new report to keep it:", comparison.rows.filter { $0.gates && $0.verdict == .faster })
        table("Told, not gating:", comparison.rows.filter { !$0.gates && ($0.verdict == .slower || $0.verdict == .faster) })
        let counts = Verdict.allCases.map { verdict in (verdict, comparison.rows.count { $0.gates && $0.verdict == verdict }) }.filter { $0.1 > 0 }
        text += "\n\(comparison.rows.count { $0.gates }) rows gate: " + counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ") + "\n"
        // One line for each reason: after a change of a library it is the same for every cell.
        var told: [(reason: String, cells: [String])] = []
        for one in comparison.incomparable {
            if let place = told.firstIndex(where: { ByteKey($0.reason) == ByteKey(one.reason) }) {
                told[place].cells.append(one.cellID)
            } else {
                told.append((one.reason, [one.cellID]))
            }
        }
        for one in told { text += "incomparable: \(one.cells.joined(separator: ", ")): \(one.reason)\n" }
        return text
    }
}
