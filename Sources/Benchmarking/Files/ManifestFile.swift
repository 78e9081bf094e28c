package import Soups

/// Writes and reads manifest.csv: one row for each cell of the whole run, planned and delivered; the control and the
/// null row's cell have one for each shard.
package enum ManifestFile {
    /// A row of the file.
    struct Row: Sendable {
        var run = ""
        var row = Manifest.Row(cellID: "", version: "", shard: .whole, arms: [], plannedPairs: 0)
    }

    /// More seconds than any run takes: sums of such times stay finite.
    private static let times = 0...1e12
    private static let counts = 0...PlannedCell.blocksOfShard

    static let file = CSVFile<Row>(
        name: "manifest.csv",
        columns: [
            .schema(),
            Column("run_id", .string, "the run; empty in a plan", write: { $0.run }),
            .text(
                "cell_id", "the cell; all cells of all shards of the run, control and null row once for each shard",
                \.row.cellID),
            .text("bench_version", "hash of the cell's definition", \.row.version),
            .shard("shard", "part of the run that measures it, k/N", \.row.shard),
            .arms("arms", "who takes turns, separated by spaces", \.row.arms),
            .integer("planned_pairs", "blocks of the first look that were planned", \.row.plannedPairs, in: counts),
            .number(
                "expected_seconds", "what these were expected to take, from accepted reports; empty without a report",
                \.row.expectedSeconds, in: times),
            .optionalInteger(
                "delivered_pairs",
                "whole blocks of the first look; empty where another shard measures the cell, or nothing ran yet",
                \.row.deliveredPairs, in: counts),
            .optionalInteger("second_pairs", "whole blocks of the second look", \.row.secondPairs, in: counts),
            .number("seconds", "what all whole blocks of both looks took", \.row.seconds, in: times),
            .optionalInteger(
                "peak_memory_bytes",
                "the most by which the memory of a worker grew in one of these blocks; each block is a process of its own, which its arms share",
                \.row.peakMemory, in: 0...Sample.limit, isAddedLater: true),
        ])

    /// `run` is empty for a plan that no run has begun yet.
    package static func write(_ manifest: Manifest, run: String) -> [UInt8] {
        file.write(manifest.rows.lazy.map { Row(run: run, row: $0) })
    }

    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> Manifest {
        Manifest(try file.read(bytes, into: Row()) { (read, _) throws(Fault) in read.row })
    }
}
