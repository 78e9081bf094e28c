import Soups

/// Lists the cells of a whole run with all its shards: what was planned for each, and what was measured. The file
/// manifest.csv.
package struct Manifest: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
        package var cellID: String
        /// The hash of the cell's definition.
        package var version: String
        package var shard: Shard
        package var arms: [Arm]
        package var plannedPairs: Int
        package var expectedSeconds: Double?
        /// Whole blocks of the first look; nil if another shard measures the cell.
        package var deliveredPairs: Int?
        /// Whole blocks of the second look.
        package var secondPairs: Int?
        /// The seconds of all these blocks.
        package var seconds: Double?
        /// The most by which the memory of a worker grew in one of these blocks (bytes). Each block is a process of its
        /// own; its arms share the process.
        package var peakMemory: Int?

        /// A text that is equal for equal plans: everything except expected times and what was measured.
        var plan: String {
            [cellID, version, shard.description, arms.map(\.name).joined(separator: " "), String(plannedPairs)].joined(
                separator: "\n")
        }
    }

    package var rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }

    /// A plan, of which nothing is measured yet.
    package init(_ plan: ShardPlan) {
        rows = plan.entries.map { entry in
            Row(
                cellID: entry.planned.cell.id, version: entry.planned.cell.version, shard: entry.shard,
                arms: entry.planned.arms,
                plannedPairs: entry.planned.blocks, expectedSeconds: entry.expectedSeconds)
        }
    }

    /// The manifest with the blocks that a shard measured; cells of other shards are unchanged.
    func delivered(_ blocks: FinishedBlocks, by shard: Shard) -> Manifest {
        var manifest = self
        for index in manifest.rows.indices where manifest.rows[index].shard == shard {
            let cell = manifest.rows[index].cellID
            manifest.rows[index].deliveredPairs = blocks.count(cell, .first)
            manifest.rows[index].secondPairs = blocks.count(cell, .second)
            manifest.rows[index].seconds = blocks.seconds(cell)
            manifest.rows[index].peakMemory = blocks.peakMemory(cell)
        }
        return manifest
    }

    /// The cells by which another plan differs from this one, each once; empty if they are the same plan.
    func differences(from other: Manifest) -> [String] {
        let own = Set(rows.map { ByteKey($0.plan) })
        let others = Set(other.rows.map { ByteKey($0.plan) })
        var seen: Set<ByteKey> = []
        let differing =
            rows.filter { !others.contains(ByteKey($0.plan)) } + other.rows.filter { !own.contains(ByteKey($0.plan)) }
        return differing.map(\.cellID).filter { seen.insert(ByteKey($0)).inserted }
    }
}
