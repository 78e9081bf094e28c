import Soups

/// Knows how long a block of each cell takes, from the newest stored run that measured the cell.
package struct CostTable: Sendable {
    /// A run that costs come from.
    package struct Source: Sendable, Hashable {
        package let runID: String
        /// The machine it ran on, for people: `AMD EPYC, 2 cores`.
        package let machine: String

        package init(runID: String, machine: String) {
            self.runID = runID
            self.machine = machine
        }
    }

    private var costs: [ByteKey: (seconds: Double, source: Source)] = [:]

    /// Creates an empty table.
    package init() {}

    /// Adds a run that is newer than the ones before. Cells that it did not measure stay as they were.
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

    /// The seconds that a block of the cell is likely to take: the measured time, else the median of all known times;
    /// nil if no time is known.
    package func expected(_ cellID: String) -> Double? { measured(cellID)?.seconds ?? median }

    /// The median over all cells that are known.
    package var median: Double? { Quantiles.median(costs.values.map(\.seconds)) }
}
