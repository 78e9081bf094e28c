import Soups

/// The time of one arm over the sizes of a soup, with a fitted exponent of the whole work.
public struct GrowthCurve: Sendable, Hashable {
    /// The cells' id without the size.
    public let family: String
    public let arm: Arm
    /// Entries, and the median time per unit of work (ns), ascending by size.
    public let points: [Point]
    public let fit: GrowthFit?

    public struct Point: Sendable, Hashable {
        public let entries: Int
        public let nanoseconds: Double
    }

    public static func family(of cell: Cell) -> String {
        let others = cell.parameters.filter { ByteKey($0.name) != ByteKey("entries") }.map { $0.name + "=" + $0.value }.joined(separator: ";")
        return others.isEmpty ? cell.workload : cell.workload + "/" + others
    }

    /// The curves of all workloads that ran at two sizes or more.
    public static func all(_ cells: [Cell], rows: [SummaryRow]) -> [GrowthCurve] {
        var families: [(name: String, cells: [Cell])] = []
        for cell in cells where cell.primary == .wall && cell.number("entries") != nil {
            let name = family(of: cell)
            if let place = families.firstIndex(where: { ByteKey($0.name) == ByteKey(name) }) {
                families[place].cells.append(cell)
            } else {
                families.append((name, [cell]))
            }
        }
        return families.filter { $0.cells.count > 1 }.flatMap { family in
            (family.cells.first?.arms ?? []).filter { $0 != .plainAgain }.compactMap { arm in
                let points = family.cells.compactMap { cell -> Point? in
                    guard let entries = cell.number("entries"), let median = median(of: arm, cell, rows) else { return nil }
                    return Point(entries: entries, nanoseconds: median)
                }.sorted { $0.entries < $1.entries }
                guard points.count > 1 else { return nil }
                return GrowthCurve(
                    family: family.name, arm: arm, points: points, fit: GrowthFit(points.map { (size: Double($0.entries), value: $0.nanoseconds) }))
            }
        }
    }

    private static func median(of arm: Arm, _ cell: Cell, _ rows: [SummaryRow]) -> Double? {
        for row in rows where ByteKey(row.cellID) == ByteKey(cell.id) && row.metric == .wall {
            if row.arm == arm { return row.armMedian }
            if row.baseArm == arm { return row.baseMedian }
        }
        return nil
    }
}
