package import Soups

/// How far apart two builds of one source were in each row, in accepted runs: what a row shows where nothing changed.
///
/// `BuildSpread` is common to all rows of one run, and needs a second build in it. These offsets are each row's own,
/// and known before anything is measured: a row whose time depends much on the layout of the code gets a wider margin.
package struct BuildOffsets: Sendable {
    /// The result of one accepted run for a row.
    struct Row: Sendable, Hashable {
        var fingerprint = ""
        var runID = ""
        var cellID = ""
        var version = ""
        var metric = Metric.wall
        /// The arm, without its build.
        var arm = Arm.none
        /// The one build / the other.
        var ratio: Double?
    }

    /// With fewer runs the estimate is meaningless: by luck it is often near zero.
    package static let fewestRuns = 4

    private var logRatios: [ByteKey: [Double]] = [:]

    package static let none = BuildOffsets([], fingerprint: "")

    init(_ rows: [Row], fingerprint: String) {
        for row in rows where ByteKey(row.fingerprint) == ByteKey(fingerprint) {
            guard let ratio = row.ratio, ratio > 0, ratio.isFinite else { continue }
            logRatios[Self.key(row.cellID, row.version, row.metric, row.arm), default: []].append(
                Exponential.log(ratio))
        }
    }

    /// The standard deviation of ln ratio of a row between equal builds; nil with too few accepted runs of this
    /// definition. Never more than `BuildSpread.largest`, beyond which nothing worth finding could be found.
    func deviation(of row: SummaryRow) -> Double? {
        let found = logRatios[Self.key(row.cellID, row.version, row.metric, row.arm.work)] ?? []
        guard found.count >= Self.fewestRuns else {
            return nil
        }
        // The mean is known: equal builds differ by nothing on average.
        let square = found.reduce(0) { $0 + $1 * $1 } / Double(found.count)
        return min(square.squareRoot(), BuildSpread.largest)
    }

    private static func key(_ cellID: String, _ version: String, _ metric: Metric, _ arm: Arm) -> ByteKey {
        ByteKey([cellID, version, metric.name, arm.name].joined(separator: "\n"))
    }

    // MARK: - The file

    static let fileName = "builds.csv"

    static let file = CSVFile<Row>(
        name: fileName,
        columns: [
            .schema(),
            .text("fingerprint", "the kind of machine", \.fingerprint),
            .text("run_id", "the run that built one source twice", \.runID),
            .text("cell_id", "the cell", \.cellID),
            .text("bench_version", "hash of the cell's definition; offsets of others do not count", \.version),
            Column(
                "metric", .string, "wall or cpu", write: { $0.metric.name },
                read: { (row, field) throws(Fault) in row.metric = Metric(field.text) }),
            .arm("arm", "the arm, without its build", \.arm),
            .number("ratio", "what the second build took, over the first", \.ratio, in: 1e-40...1e40),
        ])

    /// Reads the offsets that were accepted for a kind of machine; empty without a file.
    ///
    /// - Throws: `syntax` naming what is wrong with the file, `inputOutput`.
    package static func stored(in folder: String, fingerprint: String) throws(Fault) -> BuildOffsets {
        BuildOffsets(try rows(in: folder), fingerprint: fingerprint)
    }

    private static func rows(in folder: String) throws(Fault) -> [Row] {
        guard Folders.exists(folder + "/" + fileName) else {
            return []
        }
        let bytes = try RunFolder(path: folder).read(fileName)
        return try file.read(bytes, into: Row()) { (row, _) throws(Fault) in row }
    }

    /// Adds what a run says of two builds of one source, and returns for how many rows.
    ///
    /// - Throws: `invalidArguments` for a run that is not valid or not complete, that has no such rows, or whose rows
    ///   were accepted before; `inputOutput`.
    package static func accept(_ run: RunFolder, into folder: String) throws(Fault) -> Int {
        let report = try StoredReport(folder: run.path)
        let record = report.record
        guard record.faults.isEmpty, record.ending == .complete, record.shard == .whole else {
            throw Fault(
                .invalidArguments, "only a whole run that is complete and valid shows how far equal builds differ")
        }
        let own = report.rows.filter { row in
            Cell.Comparison(row.baseArm, row.arm).isOfTwoBuilds && [.wall, .cpu].contains(row.metric)
                && row.verdict != .invalid && row.estimate?.interval != nil
        }
        guard !own.isEmpty else {
            throw Fault(
                .invalidArguments,
                "the run has no rows of one source built twice: measure with --beside NAME=... --beside NAME-again=...")
        }
        let known = try rows(in: folder)
        guard !known.contains(where: { ByteKey($0.runID) == ByteKey(record.id) }) else {
            throw Fault(.invalidArguments, "run \(record.id) was accepted before")
        }
        let added = own.map { row in
            Row(
                fingerprint: record.fingerprint, runID: record.id, cellID: row.cellID, version: row.version,
                metric: row.metric, arm: row.arm.work, ratio: row.estimate?.ratio)
        }
        try Folders.make(folder)
        try RunFolder(path: folder).write(file.write(known + added), to: fileName)
        return added.count
    }
}
