package import Soups

/// Deals the cells of a run out to shards: the longest first, each to the shard that has least to do so far.
///
/// A cell goes whole, with all its arms, so that no pair is split. The control and the cell of the null row are in
/// every shard, for each has to show that its own machine was fit to measure. Where nothing is known of a cell it
/// counts with the median cost, and where nothing is known at all every block counts alike; ties are broken by name. So
/// the same cells and costs give the same plan, on every machine.
package struct ShardPlan: Sendable {
    package struct Entry: Sendable {
        package var planned: PlannedCell
        package let shard: Shard
        /// Seconds for the blocks of the first look; nil if no stored run lets guess them.
        package var expectedSeconds: Double?
    }

    /// In the order of the cells; a cell that is in every shard has an entry for each.
    package private(set) var entries: [Entry]
    package let count: Int

    /// The plan of a run that is not divided.
    package init(undivided cells: [PlannedCell], costs: CostTable = CostTable()) {
        count = 1
        entries = cells.map { Entry(planned: $0, shard: .whole, expectedSeconds: Self.seconds($0, costs)) }
    }

    /// - Throws: `invalidArguments` if there are more shards than cells to deal out.
    package init(_ cells: [PlannedCell], costs: CostTable, shards count: Int) throws(Fault) {
        let shards = Shard.all(of: count)
        guard count > 0, shards.count == count else {
            throw Fault(.invalidArguments, "a run has 1 to \(Shard.limit) shards, not \(count)")
        }
        let shared = Self.shared(cells)
        let single = cells.indices.filter { !shared.contains($0) }
        guard count == 1 || count <= single.count else {
            throw Fault(
                .invalidArguments,
                "there are \(single.count) cells to deal out to \(count) shards, apart from those that every shard measures; use fewer shards"
            )
        }
        func weight(_ index: Int) -> Double { Self.seconds(cells[index], costs) ?? Double(cells[index].blocks) }
        let longestFirst = single.map { (index: $0, weight: weight($0)) }.sorted { a, b in
            a.weight == b.weight
                ? cells[a.index].cell.id.utf8.lexicographicallyPrecedes(cells[b.index].cell.id.utf8)
                : a.weight > b.weight
        }
        var loads = [Double](repeating: 0, count: count)
        var taken = [Int](repeating: 0, count: count)
        var owner: [Int: Int] = [:]
        for (index, weight) in longestFirst {
            // The least loaded; of those alike the one with fewest cells, so that cells of no cost are spread too, then
            // the first.
            let least = loads.indices.min { (loads[$0], taken[$0], $0) < (loads[$1], taken[$1], $1) } ?? 0
            loads[least] += weight
            taken[least] += 1
            owner[index] = least
        }
        self.count = count
        entries = cells.indices.flatMap { index -> [Entry] in
            let seconds = Self.seconds(cells[index], costs)
            guard let one = owner[index] else {
                return shards.map { shard in
                    var planned = cells[index]
                    planned.firstBlock = (shard.number - 1) * PlannedCell.blocksOfShard
                    return Entry(planned: planned, shard: shard, expectedSeconds: seconds)
                }
            }
            return [Entry(planned: cells[index], shard: shards[one], expectedSeconds: seconds)]
        }
    }

    /// What one shard measures.
    package func cells(of shard: Shard) -> [PlannedCell] { entries.filter { $0.shard == shard }.map(\.planned) }

    /// The same with at most so many pairs of every cell.
    package func with(blocks: Int) -> ShardPlan {
        var plan = self
        for index in plan.entries.indices where plan.entries[index].planned.blocks > blocks {
            let before = plan.entries[index].planned.blocks
            plan.entries[index].planned.blocks = blocks
            plan.entries[index].expectedSeconds = plan.entries[index].expectedSeconds.map {
                $0 * Double(blocks) / Double(before)
            }
        }
        return plan
    }

    private static func seconds(_ planned: PlannedCell, _ costs: CostTable) -> Double? {
        costs.expected(planned.cell.id).map { $0 * Double(planned.blocks) }
    }

    /// The control, and the first cell that has a null row.
    private static func shared(_ cells: [PlannedCell]) -> Set<Int> {
        let control = cells.indices.filter { cells[$0].cell.isControl }
        let null = cells.firstIndex { $0.comparisons.contains { $0.arm == .plainAgain } }
        return Set(control + [null].compactMap { $0 })
    }
}
