import Soups

/// Shows what a run would measure, and how long it is likely to take.
package enum PlanTable {
    package static func make(_ entries: [ShardPlan.Entry], _ costs: CostTable) -> String {
        var table = TextTable([
            ("cell", .left), ("pairs", .right), ("s/block", .right), ("seconds", .right), ("arms", .left),
            ("what", .left),
        ])
        for entry in entries {
            let cell = entry.planned.cell
            let block =
                costs.measured(cell.id).map { Figures.significant($0.seconds) } ?? costs.median.map {
                    "~" + Figures.significant($0)
                } ?? "?"
            table.add([
                cell.id, String(entry.planned.blocks), block, entry.expectedSeconds.map { Figures.fixed($0, 1) } ?? "?",
                entry.planned.arms.map(\.name).joined(separator: " "), cell.summary,
            ])
        }
        return table.text + "\n" + total(entries, costs) + "\n"
    }

    /// One line: how long the first looks take, and on whose word.
    package static func total(_ entries: [ShardPlan.Entry], _ costs: CostTable) -> String {
        let cells = "\(entries.count) \(entries.count == 1 ? "cell" : "cells")"
        var seconds = 0.0
        var sources: [CostTable.Source] = []
        var unknown = 0
        for entry in entries {
            guard let expected = entry.expectedSeconds else {
                return "\(cells); how long they take is not known: no accepted report has a manifest.csv yet"
            }
            seconds += expected
            guard let source = costs.measured(entry.planned.cell.id)?.source else {
                unknown += 1
                continue
            }
            if !sources.contains(source) {
                sources.append(source)
            }
        }
        if sources.isEmpty {
            return "\(cells); about \(Figures.duration(seconds)), a guess: no accepted report has measured one of them"
        }
        let named = sources.map { "run \($0.runID) (\($0.machine))" }.joined(separator: " and ")
        let guessed = unknown > 0 ? "; \(unknown) never measured before, estimated at the median cost (~)" : ""
        return "\(cells); about \(Figures.duration(seconds)) on the machine of \(named)\(guessed)"
    }
}
