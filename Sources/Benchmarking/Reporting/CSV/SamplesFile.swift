public import Soups

/// Writes samples.csv: one row for each measured sample, appended and flushed block by block, so that an interrupted run keeps whole blocks.
public enum SamplesFile {
    /// The columns in their order; `ReportSchema` documents them.
    public static let columns = ReportSchema.samples.map(\.name)

    public static var header: [UInt8] { CSVText.record(columns) }

    /// The rows of some samples. `outlier` is known only when all samples are, so rows written during a run leave it empty.
    public static func rows(_ samples: [Sample], run: String, outliers: [Bool]? = nil) -> [UInt8] {
        samples.indices.flatMap { place -> [UInt8] in
            let sample = samples[place]
            let isNothing = sample.value == nil
            return CSVText.record([
                SchemaVersion.current, run, sample.shard.description, sample.cellID, sample.workload, sample.parameters, sample.arm.name, String(sample.process),
                String(sample.block), String(sample.slot), sample.order, sample.look.rawValue, sample.isWarmUp ? "1" : "0",
                isNothing ? "" : String(sample.iterations), sample.metric.name, sample.value.map { String($0) } ?? "", isNothing ? "" : sample.metric.unit,
                sample.digest, outliers.map { $0[place] ? "1" : "0" } ?? "", sample.note,
            ])
        }
    }

    /// Marks the outliers among the judged clock samples of each cell, arm, metric and look.
    public static func outliers(_ samples: [Sample]) -> [Bool] {
        var marks = samples.map { _ in false }
        let groups = Dictionary(grouping: samples.indices.filter { !samples[$0].isWarmUp && !samples[$0].metric.isExact }) { place in
            ByteKey([samples[place].cellID, samples[place].arm.name, samples[place].metric.name, samples[place].look.rawValue].joined(separator: "\n"))
        }
        for places in groups.values {
            let found = Quantiles.outliers(places.map { samples[$0].perUnit ?? 0 })
            for (place, isOutlier) in zip(places, found) { marks[place] = isOutlier }
        }
        return marks
    }

    /// Reads samples back.
    ///
    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    public static func read(_ bytes: [UInt8]) throws(Fault) -> [Sample] {
        let table = try CSVTable(bytes)
        let schema = try table.column("schema"), cell = try table.column("cell_id"), workload = try table.column("workload")
        let params = try table.column("params"), arm = try table.column("arm"), process = try table.column("process"), block = try table.column("block")
        let slot = try table.column("slot"), order = try table.column("order"), phase = try table.column("phase"), warm = try table.column("warm")
        let iterations = try table.column("iterations"), metric = try table.column("metric"), value = try table.column("value")
        let digest = try table.column("digest"), note = try table.column("note"), shard = try table.column("shard")
        var samples: [Sample] = []
        for (place, row) in table.rows.enumerated() {
            try SchemaVersion.check(schema(row))
            guard let processID = Int(process(row)), let blockNumber = Int(block(row)), let slotNumber = Int(slot(row)),
                let look = Sample.Look(rawValue: phase(row)), value(row).isEmpty || Int(value(row)) != nil, let part = Shard(shard(row))
            else { throw Fault(.syntax, "record \(place + 2) has a field that is no number, look or shard") }
            samples.append(
                Sample(
                    cellID: cell(row), workload: workload(row), parameters: params(row), arm: Arm(arm(row)), process: processID, block: blockNumber,
                    slot: slotNumber, order: order(row), look: look, isWarmUp: warm(row) == "1", iterations: Int(iterations(row)) ?? 1,
                    metric: Metric(metric(row)), value: Int(value(row)), digest: digest(row), note: note(row), shard: part))
        }
        return samples
    }
}
