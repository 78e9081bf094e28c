import Soups

/// Knows how long a block of each cell takes: what stored runs measured, of each cell the newest that knows it.
package struct CostTable: Sendable {
    /// A run that costs come from.
    package struct Source: Sendable, Hashable {
        package let runID: String
        /// What it ran on, for people: `AMD EPYC, 2 cores`.
        package let machine: String

        package init(runID: String, machine: String) {
            self.runID = runID
            self.machine = machine
        }
    }

    private var costs: [ByteKey: (seconds: Double, source: Source)] = [:]

    /// Nothing is known.
    package init() {}

    /// Takes in a run that is newer than those before. Cells of which it delivered nothing stay as they were.
    package mutating func add(_ manifest: Manifest, from source: Source) {
        var found: [ByteKey: (seconds: Double, blocks: Int)] = [:]
        for row in manifest.rows {
            guard let seconds = row.seconds, let delivered = row.deliveredPairs, delivered > 0, seconds > 0,
                seconds.isFinite
            else {
                continue
            }
            let before = found[ByteKey(row.cellID)] ?? (0, 0)
            found[ByteKey(row.cellID)] = (before.seconds + seconds, before.blocks + delivered + (row.secondPairs ?? 0))
        }
        for (cell, cost) in found {
            costs[cell] = (cost.seconds / Double(cost.blocks), source)
        }
    }

    package var isEmpty: Bool { costs.isEmpty }

    /// Seconds that a block of the cell took, and where; nil if no stored run measured it.
    package func measured(_ cellID: String) -> (seconds: Double, source: Source)? { costs[ByteKey(cellID)] }

    /// Seconds that a block of the cell is likely to take: what it took, else the median of all that is known; nil
    /// where nothing is.
    package func expected(_ cellID: String) -> Double? { measured(cellID)?.seconds ?? median }

    /// The median over all cells that are known.
    package var median: Double? { Quantiles.median(costs.values.map(\.seconds)) }
}
