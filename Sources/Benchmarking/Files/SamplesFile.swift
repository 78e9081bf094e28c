package import Soups

/// Writes samples.csv: one row for each measured sample, appended and flushed block by block, so that an interrupted
/// run keeps whole blocks.
package enum SamplesFile {
    /// The columns in their order; `ReportSchema` documents them.
    package static let columns = ReportSchema.samples.map(\.name)

    package static var header: [UInt8] { CSVText.record(columns) }

    /// The rows of some samples. `outlier` is known only when all samples are, so rows written during a run leave it
    /// empty.
    package static func rows(_ samples: [Sample], run: String, outliers: [Bool]? = nil) -> [UInt8] {
        samples.indices.flatMap { place -> [UInt8] in
            let sample = samples[place]
            let isNothing = sample.value == nil
            return CSVText.record([
                SchemaVersion.current, run, sample.shard.description, sample.cellID, sample.workload, sample.parameters,
                sample.arm.name, String(sample.process),
                String(sample.block), String(sample.slot), sample.order, sample.look.rawValue,
                sample.isWarmUp ? "1" : "0",
                isNothing ? "" : String(sample.iterations), sample.content.name, sample.value.map { String($0) } ?? "",
                isNothing ? "" : sample.content.unit,
                sample.digest, outliers.map { $0[place] ? "1" : "0" } ?? "", sample.note,
            ])
        }
    }

    /// Marks the outliers among the judged clock samples of each cell, arm, metric and look.
    package static func outliers(_ samples: [Sample]) -> [Bool] {
        var marks = samples.map { _ in false }
        let groups = Dictionary(
            grouping: samples.indices.filter { !samples[$0].isWarmUp && samples[$0].metric?.isExact == false }
        ) { place in
            ByteKey(
                [
                    samples[place].cellID, samples[place].arm.name, samples[place].content.name,
                    samples[place].look.rawValue,
                ].joined(separator: "\n"))
        }
        for places in groups.values {
            let found = Quantiles.outliers(places.map { samples[$0].perUnit ?? 0 })
            for (place, isOutlier) in zip(places, found) {
                marks[place] = isOutlier
            }
        }
        return marks
    }

    /// Reads samples back.
    ///
    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> [Sample] {
        let table = try CSVTable(bytes)
        let schema = try table.column("schema")
        let cell = try table.column("cell_id")
        let workload = try table.column("workload")
        let params = try table.column("params")
        let arm = try table.column("arm")
        let process = try table.column("process")
        let block = try table.column("block")
        let slot = try table.column("slot")
        let order = try table.column("order")
        let phase = try table.column("phase")
        let warm = try table.column("warm")
        let iterations = try table.column("iterations")
        let metric = try table.column("metric")
        let value = try table.column("value")
        let digest = try table.column("digest")
        let note = try table.column("note")
        let shard = try table.column("shard")
        var samples: [Sample] = []
        for (place, row) in table.rows.enumerated() {
            try SchemaVersion.check(schema(row))
            func fault(_ what: String) -> Fault { Fault(.syntax, "samples.csv, record \(place + 2): \(what)") }
            func number(
                _ field: String, _ name: String, in range: ClosedRange<Int> = 0...Sample.limit
            ) throws(Fault) -> Int {
                guard let number = Int(field), range.contains(number) else {
                    throw fault("\(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
                }
                return number
            }
            guard let look = Sample.Look(rawValue: phase(row)) else {
                throw fault("the phase is not first or second")
            }
            guard let part = Shard(shard(row)) else {
                throw fault("the shard is not of the form k/N")
            }
            guard ["0", "1"].contains(warm(row)) else {
                throw fault("warm is not 0 or 1")
            }
            let content = Sample.Content(name: metric(row))
            let isNothing = value(row).isEmpty
            samples.append(
                Sample(
                    cellID: cell(row), workload: workload(row), parameters: params(row), arm: Arm(arm(row)),
                    process: try number(process(row), "process"),
                    block: try number(block(row), "block"), slot: try number(slot(row), "slot"), order: order(row),
                    look: look, isWarmUp: warm(row) == "1",
                    iterations: isNothing && iterations(row).isEmpty
                        ? 1 : try number(iterations(row), "iterations", in: 1...Sample.limit), content: content,
                    value: isNothing ? nil : try number(value(row), "value", in: content.possibleValues),
                    digest: digest(row), note: note(row), shard: part))
        }
        return samples
    }
}
