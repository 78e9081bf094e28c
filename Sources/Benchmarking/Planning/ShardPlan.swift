package import Soups

/// Distributes the cells of a run over shards: the longest first, each to the shard with the least work so far.
///
/// A cell is never split, so all its pairs are in one shard. The control and the cell of the null row are in every
/// shard, because each has to show that its own machine is fit to measure. A cell of unknown cost counts with the
/// median cost; if no cost is known, every block counts the same; ties are decided by name. So equal cells and costs
/// give the same plan on every machine.
package struct ShardPlan: Sendable {
    package struct Entry: Sendable {
        package var planned: PlannedCell
        package let shard: Shard
        /// The seconds for the blocks of the first look; nil if no stored run gives an estimate.
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

    /// - Throws: `invalidArguments` if there are more shards than cells to distribute.
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
            // The least loaded; among equals the one with the fewest cells, so that cells without cost are spread too;
            // then the first.
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

    /// The plan with at most this number of blocks for each cell.
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
