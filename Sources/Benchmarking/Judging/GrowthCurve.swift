import Soups

/// The time of one arm over the sizes of a soup, with a fitted exponent of the time for one unit of work.
package struct GrowthCurve: Sendable, Hashable {
    /// The cells' id without the size.
    package let family: String
    package let arm: Arm
    /// Entries, and the median time per unit of work (ns), ascending by size.
    package let points: [Point]
    package let fit: GrowthFit?
    /// The interval of the exponent: blocks of the same number at all sizes give an exponent each, and these the exact
    /// signed-rank interval. nil with fewer than six such blocks, or without samples.
    package let interval: RatioEstimate.Interval?

    package struct Point: Sendable, Hashable {
        package let entries: Int
        package let nanoseconds: Double
    }

    package static func family(of cell: Cell) -> String {
        let others = cell.parameters.filter { ByteKey($0.name) != ByteKey("entries") }.map { $0.name + "=" + $0.value }
            .joined(separator: ";")
        return others.isEmpty ? cell.workload : cell.workload + "/" + others
    }

    /// The curves of all workloads that ran at two sizes or more.
    package static func all(_ cells: [Cell], rows: [SummaryRow], samples: [Sample] = []) -> [GrowthCurve] {
        var families: [(name: String, cells: [Cell])] = []
        for cell in cells where cell.primary == .wall && cell.number("entries") != nil {
            let name = family(of: cell)
            if let index = families.firstIndex(where: { ByteKey($0.name) == ByteKey(name) }) {
                families[index].cells.append(cell)
            } else {
                families.append((name, [cell]))
            }
        }
        let blocks = BlockTimes(samples)
        return families.filter { $0.cells.count > 1 }.flatMap { family in
            (family.cells.first?.arms ?? []).filter { $0 != .plainAgain }.compactMap { arm in
                let found = family.cells.compactMap { cell -> (cell: Cell, point: Point)? in
                    guard let entries = cell.number("entries"), let median = median(of: arm, cell, rows) else {
                        return nil
                    }
                    return (cell, Point(entries: entries, nanoseconds: median))
                }.sorted { $0.point.entries < $1.point.entries }
                guard found.count > 1 else { return nil }
                return GrowthCurve(
                    family: family.name, arm: arm, points: found.map(\.point),
                    fit: GrowthFit(found.map { (size: Double($0.point.entries), value: $0.point.nanoseconds) }),
                    interval: blocks.interval(arm, found.map { ($0.cell.id, $0.point.entries) }))
            }
        }
    }

    private static func median(of arm: Arm, _ cell: Cell, _ rows: [SummaryRow]) -> Double? {
        for row in rows where ByteKey(row.cellID) == ByteKey(cell.id) && row.metric == .wall && row.verdict != .invalid
        {
            if row.arm == arm {
                return row.armMedian
            }
            if row.baseArm == arm {
                return row.baseMedian
            }
        }
        return nil
    }
}

/// The time per unit of work that every arm of every cell took in each block of the first look.
private struct BlockTimes {
    private var times: [Key: [Int: Double]] = [:]

    private struct Key: Hashable {
        let cell: ByteKey
        let arm: Arm
    }

    init(_ samples: [Sample]) {
        for sample in samples where sample.metric == .wall && !sample.isWarmUp && sample.look == .first {
            guard let perUnit = sample.perUnit else { continue }
            times[Key(cell: ByteKey(sample.cellID), arm: sample.arm), default: [:]][sample.block] = perUnit
        }
    }

    func interval(_ arm: Arm, _ cells: [(id: String, entries: Int)]) -> RatioEstimate.Interval? {
        let series = cells.map { cell in
            (entries: cell.entries, times: times[Key(cell: ByteKey(cell.id), arm: arm)] ?? [:])
        }
        guard let first = series.first else { return nil }
        let exponents = first.times.keys.sorted().compactMap { block -> Double? in
            let points = series.compactMap { one in one.times[block].map { (size: Double(one.entries), value: $0) } }
            return points.count == series.count ? GrowthFit(points)?.exponent : nil
        }
        return SignedRank(exponents).interval(level: 0.95).map { .init(low: $0.low, high: $0.high, level: $0.level) }
    }
}
