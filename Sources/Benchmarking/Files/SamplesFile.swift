package import Soups

/// Writes and reads samples.csv: one row for each measured sample, appended and flushed block by block, so that an
/// interrupted run keeps whole blocks.
package enum SamplesFile {
    /// A row of the file.
    struct Row: Sendable {
        var run = ""
        var sample = Sample(
            cellID: "", workload: "", parameters: "", arm: .none, process: 0, block: 0, slot: 0, order: "",
            look: .first, content: .metric(.wall), value: nil)
        /// nil during a run: outliers are known only when all samples are.
        var isOutlier: Bool?
    }

    static let file = CSVFile<Row>(
        name: "samples.csv",
        columns: [
            .schema("version of these columns, major.minor.patch; readers take their own major only"),
            Column("run_id", .string, "the run: UTC time and commit", write: { $0.run }),
            .shard("shard", "part of the run, k/N", \.sample.shard),
            .text("cell_id", "the cell: workload and parameters", \.sample.cellID),
            .text("workload", "what is done", \.sample.workload),
            .text("params", "name=value;name=value, sorted by name", \.sample.parameters),
            .arm("arm", "who does it; name@build for another build of the program; empty for block_time", \.sample.arm),
            .integer(
                "process", "process id of the worker; one for each block and build", \.sample.process,
                in: 0...Sample.limit),
            .integer(
                "block",
                "from 0 within a cell; one block is one pair of each comparison; second looks count from 1000; control and null row of shard k from 10000 * (k - 1)",
                \.sample.block, in: 0...Sample.limit),
            .integer("slot", "position of the turn within the block, from 0", \.sample.slot, in: 0...Sample.limit),
            .text("order", "all turns of the block in their order, joined by >", \.sample.order),
            .choice("phase", "first or second: the look that the block belongs to", \.sample.look),
            Column(
                "warm", .boolean, "1 for a warm-up: stored, never judged", write: { $0.sample.isWarmUp ? "1" : "0" },
                read: { (row, field) throws(Fault) in
                    guard let isWarmUp = try field.truth() else {
                        throw field.fault("warm is not 0 or 1")
                    }
                    row.sample.isWarmUp = isWarmUp
                }),
            Column(
                "iterations", .integer, "units of work in the sample; value / iterations is the cost of one",
                write: { $0.sample.value == nil ? "" : String($0.sample.iterations) },
                read: { (row, field) throws(Fault) in
                    // Without a value the field may be empty, which `finish` checks.
                    row.sample.iterations = field.text.isEmpty ? 0 : try field.integer(in: 1...Sample.limit)
                }),
            Column(
                "metric", .string,
                "wall, cpu, vm_steps, cache_misses, cache_writes, rows, file_bytes, instructions, allocations, memory_growth, read_p50, read_p95, read_p99, read_max; marker_found; worker_memory; block_time, the last row of a whole block; query_plan, failed and unsupported with a note",
                write: { $0.sample.content.name },
                read: { (row, field) throws(Fault) in row.sample.content = Sample.Content(name: field.text) }),
            Column(
                "value", .integer, "what was measured, in the unit",
                write: { $0.sample.value.map { String($0) } ?? "" },
                read: { (row, field) throws(Fault) in
                    row.sample.value =
                        field.text.isEmpty ? nil : try field.integer(in: row.sample.content.possibleValues)
                }),
            .unit("ns, bytes or count") { $0.sample.value == nil ? "" : $0.sample.content.unit },
            .text("digest", "SHA-256 of the arm's answer in this block, dates left out", \.sample.digest),
            Column(
                "outlier", .boolean,
                "1 beyond 3.5 scaled median absolute deviations; a label, the sample counts",
                write: { $0.isOutlier.map { $0 ? "1" : "0" } ?? "" }),
            .text("note", "why nothing was measured; the query plans of the arm's statements", \.sample.note),
        ])

    package static var header: [UInt8] { file.header }

    /// The rows of some samples. `outlier` is known only when all samples are, so rows written during a run leave it
    /// empty.
    package static func rows(_ samples: [Sample], run: String, outliers: [Bool]? = nil) -> [UInt8] {
        samples.indices.flatMap { index in
            file.record(Row(run: run, sample: samples[index], isOutlier: outliers?[index]))
        }
    }

    /// Reads samples back.
    ///
    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> [Sample] {
        try file.read(bytes, into: Row()) { (row, record) throws(Fault) in
            var sample = row.sample
            if sample.iterations == 0 {
                guard sample.value == nil else {
                    throw record.fault("iterations is not a number from 1 to \(Sample.limit)")
                }
                sample.iterations = 1
            }
            return sample
        }
    }

    /// Marks the outliers among the judged clock samples of each cell, arm, metric and look.
    package static func outliers(_ samples: [Sample]) -> [Bool] {
        var marks = samples.map { _ in false }
        let groups = Dictionary(
            grouping: samples.indices.filter { !samples[$0].isWarmUp && samples[$0].metric?.isExact == false }
        ) { position in
            ByteKey(
                [
                    samples[position].cellID, samples[position].arm.name, samples[position].content.name,
                    samples[position].look.rawValue,
                ].joined(separator: "\n"))
        }
        for positions in groups.values {
            let found = Quantiles.outliers(positions.map { samples[$0].perUnit ?? 0 })
            for (position, isOutlier) in zip(positions, found) {
                marks[position] = isOutlier
            }
        }
        return marks
    }
}
