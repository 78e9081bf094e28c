package import Soups

/// Writes and reads summary.csv: one row for each cell, metric and pair of arms. It is all that a later comparison
/// needs.
package enum SummaryFile {
    /// The columns in their order; `ReportSchema` documents them.
    package static let columns = ReportSchema.summary.map(\.name)

    /// A column that reports older than schema 1.2 lack.
    private static let addedLater = "p_bh"

    /// Beyond what any quotient of two samples can be: figures further out are damage, and logarithms of their
    /// quotients would be no numbers.
    private static let largest = 1e40, smallest = 1e-40

    package static func write(_ rows: [SummaryRow], run: String) -> [UInt8] {
        rows.reduce(into: CSVText.record(columns)) { bytes, row in
            let interval = row.estimate?.interval
            bytes += CSVText.record([
                SchemaVersion.current, run, row.cellID, row.workload, row.parameters, row.metric.name, row.metric.unit,
                row.baseArm.name, row.arm.name,
                String(row.estimate?.pairs ?? 0), CSVText.number(row.baseMedian), CSVText.number(row.armMedian),
                CSVText.number(row.baseP95), CSVText.number(row.armP95),
                CSVText.number(row.estimate?.ratio), CSVText.number(interval?.low), CSVText.number(interval?.high),
                CSVText.number(interval?.level), CSVText.number(row.margin.share),
                String(row.stage), CSVText.number(row.probability), CSVText.number(row.correctedProbability),
                CSVText.number(row.chanceShare), row.verdict.rawValue, row.reason,
                row.isPlanSame.map { $0 ? "1" : "0" } ?? "", row.isDigestSame.map { $0 ? "1" : "0" } ?? "", row.version,
            ])
        }
    }

    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> [SummaryRow] {
        let table = try CSVTable(bytes)
        var read: [ByteKey: ([String]) -> String] = [:]
        for name in columns
        where ByteKey(name) != ByteKey(addedLater) || table.columns.contains(where: { ByteKey($0) == ByteKey(name) }) {
            read[ByteKey(name)] = try table.column(name)
        }
        var rows: [SummaryRow] = []
        for (place, record) in table.rows.enumerated() {
            func text(_ name: String) -> String { read[ByteKey(name)]?(record) ?? "" }
            func fault(_ what: String) -> Fault { Fault(.syntax, "summary.csv, record \(place + 2): \(what)") }
            func truth(_ name: String) throws(Fault) -> Bool? {
                switch text(name) {
                case "": return nil
                case "0": return false
                case "1": return true
                default: throw fault("\(name) is not 0 or 1")
                }
            }
            func value(_ name: String, in range: ClosedRange<Double> = -largest...largest) throws(Fault) -> Double? {
                let field = text(name)
                if field.isEmpty {
                    return nil
                }
                guard let value = Double(field), range.contains(value) else {
                    throw fault("\(name) is out of range")
                }
                return value
            }
            func count(_ name: String, in range: ClosedRange<Int>) throws(Fault) -> Int {
                guard let count = Int(text(name)), range.contains(count) else {
                    throw fault("\(name) is out of range")
                }
                return count
            }
            try SchemaVersion.check(text("schema"))
            guard let verdict = Verdict(rawValue: text("verdict")) else {
                throw fault("unknown verdict")
            }
            // A count may begin from nothing, or end there (`RatioEstimate.exact`).
            let ratios = Metric(text("metric")).isExact ? 0...Double.greatestFiniteMagnitude : smallest...largest
            let share = 0.0...1.0
            let pairs = try count("pairs", in: 0...Sample.limit)
            var interval: RatioEstimate.Interval?
            switch (try value("lo", in: ratios), try value("hi", in: ratios), try value("level", in: share)) {
            case (let low?, let high?, let level?) where low <= high:
                interval = .init(low: low, high: high, level: level)
            case (nil, nil, nil): break
            default: throw fault("lo, hi and level are not a valid interval")
            }
            let estimate = try value("ratio", in: ratios).map {
                RatioEstimate(ratio: $0, interval: interval, pairs: pairs)
            }
            guard let margin = try value("margin", in: 0...largest) else {
                throw fault("the margin is missing")
            }
            rows.append(
                SummaryRow(
                    cellID: text("cell_id"), workload: text("workload"), parameters: text("params"),
                    metric: Metric(text("metric")),
                    baseArm: Arm(text("base_arm")), arm: Arm(text("arm")), baseMedian: try value("base_median"),
                    armMedian: try value("arm_median"),
                    baseP95: try value("base_p95"), armP95: try value("arm_p95"), estimate: estimate,
                    margin: Margin(margin),
                    stage: try count("stage", in: 1...2), probability: try value("p", in: share),
                    correctedProbability: try value("p_holm", in: share),
                    chanceShare: try value(addedLater, in: share), verdict: verdict, reason: text("reason"),
                    isPlanSame: try truth("plan_same"),
                    isDigestSame: try truth("digest_same"), version: text("bench_version")))
        }
        return rows
    }
}
