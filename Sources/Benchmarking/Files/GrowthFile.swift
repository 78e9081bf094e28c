import CSVText

/// Writes growth.csv: the exponents with which times grow, one row for each work and arm.
package enum GrowthFile {
    /// A row of the file.
    struct Row: Sendable {
        let run: String
        let curve: GrowthCurve
    }

    static let file = CSVFile<Row>(
        name: "growth.csv",
        columns: [
            .schema(),
            Column("run_id", .string, "the run", write: { $0.run }),
            Column("work", .string, "the cells, without the size", write: { $0.curve.family }),
            Column("arm", .string, "who does it", write: { $0.curve.arm.name }),
            Column(
                "entries", .string, "the sizes, ascending, separated by spaces",
                write: { $0.curve.points.map { String($0.entries) }.joined(separator: " ") }),
            Column(
                "medians", .string, "median time for one unit of work at each size (ns)",
                write: { $0.curve.points.map { CSVText.number($0.nanoseconds) }.joined(separator: " ") }),
            Column(
                "exponent", .number,
                "time is in proportion to entries to this power, by least squares on the logarithms",
                write: { CSVText.number($0.curve.fit?.exponent) }),
            Column(
                "lo", .number, "lower end of the exact signed-rank interval over the exponents of blocks",
                write: { CSVText.number($0.curve.interval?.low) }),
            Column("hi", .number, "upper end", write: { CSVText.number($0.curve.interval?.high) }),
        ])

    package static func write(_ curves: [GrowthCurve], run: String) -> [UInt8] {
        file.write(curves.lazy.map { Row(run: run, curve: $0) })
    }
}
