import Soups

/// Shows a run for a reader: one line for each cell, with the time of the first arm, and the ratios of the others to
/// it.
package enum ComparisonTable {
    /// The lines of all cells that compare back ends; control and null rows are shown separately.
    ///
    /// A cell of which only one arm could do the work has that arm's time and no ratio. nil if there is no such cell.
    package static func make(_ cells: [PlannedCell], rows: [SummaryRow]) -> TextTable? {
        let pairs = columns(cells)
        var table = TextTable(
            [("workload", .left), ("entries", .right), ("plain", .right)]
                + pairs.map { ("\($0.arm) / \($0.base)", TextTable.Alignment.right) }
                + [(pairs.last.map { "verdict on \($0.arm) / \($0.base)" } ?? "verdict", .left)])
        var isEmpty = true
        for planned in byWork(cells) {
            let cell = planned.cell
            let own = rows.filter { ByteKey($0.cellID) == ByteKey(cell.id) && $0.metric == cell.primary }
            let isAlone = own.contains { $0.baseArm == .plain && $0.arm == .none }
            guard
                isAlone
                    || pairs.contains(where: { pair in own.contains { $0.baseArm == pair.base && $0.arm == pair.arm } })
            else {
                continue
            }
            isEmpty = false
            let first = own.first { $0.baseArm == .plain }
            let name = GrowthCurve.family(of: cell)
            let judged = pairs.last.flatMap { pair in own.first { $0.baseArm == pair.base && $0.arm == pair.arm } }
            table.add(
                [
                    name, cell.number("entries").map { String($0) } ?? "",
                    first?.baseMedian.map { Figures.value($0, cell.primary) } ?? "",
                ]
                    + pairs.map { pair in
                        own.first { $0.baseArm == pair.base && $0.arm == pair.arm }.map { show($0) } ?? ""
                    } + [judged.map { verdict($0) } ?? (isAlone ? first.map { verdict($0) } ?? "" : "")])
        }
        return isEmpty ? nil : table
    }

    /// Groups the sizes of one workload, in the order in which the workloads ran.
    private static func byWork(_ cells: [PlannedCell]) -> [PlannedCell] {
        var order: [ByteKey] = []
        for planned in cells where !order.contains(ByteKey(planned.cell.workload)) {
            order.append(ByteKey(planned.cell.workload))
        }
        return order.flatMap { workload in cells.filter { ByteKey($0.cell.workload) == workload } }
    }

    /// The pairs of arms that have a column each; other comparisons have a table of their own.
    static func columns(_ cells: [PlannedCell]) -> [Cell.Comparison] {
        Cell.Comparison.backends.filter { pair in
            cells.contains { $0.comparisons.contains { $0.base == pair.base && $0.arm == pair.arm } }
        }
    }

    /// All other pairs, a line each.
    package static func others(_ cells: [PlannedCell], rows: [SummaryRow]) -> TextTable? {
        let pairs = columns(cells)
        var table = TextTable([
            ("workload", .left), ("arm", .left), ("base", .left), ("base takes", .right), ("arm takes", .right),
            ("ratio", .right), ("verdict", .left),
        ])
        var isEmpty = true
        for planned in cells {
            for row in rows where ByteKey(row.cellID) == ByteKey(planned.cell.id) && row.metric == planned.cell.primary
            {
                if row.arm == .none || pairs.contains(where: { $0.base == row.baseArm && $0.arm == row.arm }) {
                    continue
                }
                isEmpty = false
                table.add([
                    planned.cell.id, row.arm.name, row.baseArm.name,
                    row.baseMedian.map { Figures.value($0, row.metric) } ?? "",
                    row.armMedian.map { Figures.value($0, row.metric) } ?? "", show(row), verdict(row),
                ])
            }
        }
        return isEmpty ? nil : table
    }

    static func show(_ row: SummaryRow) -> String {
        row.verdict == .invalid ? "invalid" : row.estimate.map { Figures.ratio($0) } ?? "?"
    }

    static func verdict(_ row: SummaryRow) -> String {
        // What is only counted has nothing to be compared with, until there is an accepted report.
        if row.arm == .none, row.metric.isExact, row.verdict != .invalid {
            return "counted"
        }
        // A file is not slower than another, it is larger.
        if row.metric.unit != "ns", row.reason.isEmpty, row.verdict == .slower || row.verdict == .faster {
            return row.verdict == .slower ? "more" : "less"
        }
        return row.reason.isEmpty ? row.verdict.rawValue : "\(row.verdict.rawValue): \(row.reason)"
    }
}
