public import Soups

/// Writes and reads summary.csv: one row for each cell, metric and pair of arms. It is all that a later comparison needs.
public enum SummaryFile {
    /// The columns in their order; `ReportSchema` documents them.
    public static let columns = ReportSchema.summary.map(\.name)

    /// A column that reports older than schema 1.2 lack.
    private static let addedLater = "p_bh"

    public static func write(_ rows: [SummaryRow], run: String) -> [UInt8] {
        rows.reduce(into: CSVText.record(columns)) { bytes, row in
            let interval = row.estimate?.interval
            bytes += CSVText.record([
                SchemaVersion.current, run, row.cellID, row.workload, row.parameters, row.metric.name, row.metric.unit, row.baseArm.name, row.arm.name,
                String(row.estimate?.pairs ?? 0), CSVText.number(row.baseMedian), CSVText.number(row.armMedian),
                CSVText.number(row.baseP95), CSVText.number(row.armP95),
                CSVText.number(row.estimate?.ratio), CSVText.number(interval?.low), CSVText.number(interval?.high),
                CSVText.number(interval?.level), CSVText.number(row.margin.share),
                String(row.stage), CSVText.number(row.probability), CSVText.number(row.correctedProbability), CSVText.number(row.chanceShare), row.verdict.rawValue, row.reason,
                row.isPlanSame.map { $0 ? "1" : "0" } ?? "", row.isDigestSame.map { $0 ? "1" : "0" } ?? "", row.version,
            ])
        }
    }

    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    public static func read(_ bytes: [UInt8]) throws(Fault) -> [SummaryRow] {
        let table = try CSVTable(bytes)
        var read: [ByteKey: ([String]) -> String] = [:]
        for name in columns where ByteKey(name) != ByteKey(addedLater) || table.columns.contains(where: { ByteKey($0) == ByteKey(name) }) {
            read[ByteKey(name)] = try table.column(name)
        }
        var rows: [SummaryRow] = []
        for (place, record) in table.rows.enumerated() {
            func text(_ name: String) -> String { read[ByteKey(name)]?(record) ?? "" }
            func truth(_ name: String) -> Bool? { text(name).isEmpty ? nil : text(name) == "1" }
            func value(_ name: String) throws(Fault) -> Double? {
                let field = text(name)
                if field.isEmpty { return nil }
                guard let value = Double(field), value.isFinite else { throw Fault(.syntax, "record \(place + 2): \(name) is no number") }
                return value
            }
            try SchemaVersion.check(text("schema"))
            guard let verdict = Verdict(rawValue: text("verdict")) else { throw Fault(.syntax, "record \(place + 2) has a verdict that does not exist") }
            var estimate: RatioEstimate?
            if let ratio = try value("ratio") {
                var interval: RatioEstimate.Interval?
                if let low = try value("lo"), let high = try value("hi"), let level = try value("level") { interval = .init(low: low, high: high, level: level) }
                estimate = RatioEstimate(ratio: ratio, interval: interval, pairs: Int(text("pairs")) ?? 0)
            }
            rows.append(
                SummaryRow(
                    cellID: text("cell_id"), workload: text("workload"), parameters: text("params"), metric: Metric(text("metric")),
                    baseArm: Arm(text("base_arm")), arm: Arm(text("arm")), baseMedian: try value("base_median"), armMedian: try value("arm_median"),
                    baseP95: try value("base_p95"), armP95: try value("arm_p95"), estimate: estimate, margin: Margin(try value("margin") ?? 0),
                    stage: Int(text("stage")) ?? 1, probability: try value("p"), correctedProbability: try value("p_holm"), chanceShare: try value(addedLater), verdict: verdict,
                    reason: text("reason"), isPlanSame: truth("plan_same"), isDigestSame: truth("digest_same"), version: text("bench_version")))
        }
        return rows
    }
}
