package import Soups

/// Writes and reads manifest.csv: one row for each cell of the whole run, planned and delivered; the control and the
/// null row's cell have one for each shard.
package enum ManifestFile {
    /// The columns in their order; `ReportSchema` documents them.
    package static let columns = ReportSchema.manifest.map(\.name)

    /// `run` is empty for a plan that no run has begun yet.
    package static func write(_ manifest: Manifest, run: String) -> [UInt8] {
        manifest.rows.reduce(into: CSVText.record(columns)) { bytes, row in
            bytes += CSVText.record([
                SchemaVersion.current, run, row.cellID, row.version, row.shard.description,
                row.arms.map(\.name).joined(separator: " "),
                String(row.plannedPairs), CSVText.number(row.expectedSeconds),
                row.deliveredPairs.map { String($0) } ?? "",
                row.secondPairs.map { String($0) } ?? "", CSVText.number(row.seconds),
            ])
        }
    }

    /// More than any run takes (seconds): what is reckoned with such times stays a number.
    private static let longest = 1e12

    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> Manifest {
        let table = try CSVTable(bytes)
        let schema = try table.column("schema")
        let cell = try table.column("cell_id")
        let version = try table.column("bench_version")
        let shard = try table.column("shard")
        let arms = try table.column("arms")
        let planned = try table.column("planned_pairs")
        let expected = try table.column("expected_seconds")
        let delivered = try table.column("delivered_pairs")
        let second = try table.column("second_pairs")
        let seconds = try table.column("seconds")
        var rows: [Manifest.Row] = []
        for (place, row) in table.rows.enumerated() {
            try SchemaVersion.check(schema(row))
            func fault(_ what: String) -> Fault { Fault(.syntax, "manifest.csv, record \(place + 2): \(what)") }
            func count(_ field: String, _ name: String) throws(Fault) -> Int? {
                if field.isEmpty {
                    return nil
                }
                guard let count = Int(field), (0...PlannedCell.blocksOfShard).contains(count) else {
                    throw fault("\(name) is not a number from 0 to \(PlannedCell.blocksOfShard)")
                }
                return count
            }
            func time(_ field: String, _ name: String) throws(Fault) -> Double? {
                if field.isEmpty {
                    return nil
                }
                guard let time = Double(field), (0...longest).contains(time) else {
                    throw fault("\(name) is not a valid time")
                }
                return time
            }
            guard let part = Shard(shard(row)) else {
                throw fault("the shard is not of the form k/N")
            }
            guard let pairs = try count(planned(row), "planned_pairs") else {
                throw fault("planned_pairs is missing")
            }
            rows.append(
                Manifest.Row(
                    cellID: cell(row), version: version(row), shard: part,
                    arms: arms(row).utf8.split(separator: UInt8(ascii: " ")).map {
                        Arm(String(decoding: $0, as: UTF8.self))
                    }, plannedPairs: pairs,
                    expectedSeconds: try time(expected(row), "expected_seconds"),
                    deliveredPairs: try count(delivered(row), "delivered_pairs"),
                    secondPairs: try count(second(row), "second_pairs"), seconds: try time(seconds(row), "seconds")))
        }
        return Manifest(rows)
    }
}
