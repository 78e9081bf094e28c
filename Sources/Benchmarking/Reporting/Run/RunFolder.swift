import FoundationEssentials
import JSONText
public import Soups

/// Writes and reads the files of a run: samples.csv as it goes, summary.csv, claims.csv, growth.csv, run.json and report files at its end.
public struct RunFolder: Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    public var samplesPath: String { path + "/samples.csv" }
    public var summaryPath: String { path + "/summary.csv" }
    public var recordPath: String { path + "/run.json" }

    /// Makes the folder and an empty samples.csv.
    ///
    /// - Throws: `inputOutput`; `invalidArguments` where the folder holds another run.
    public func begin() throws(Fault) {
        if Folders.exists(samplesPath) || Folders.exists(recordPath) { throw Fault(.invalidArguments, "\(path) holds a run already; name another folder") }
        try Folders.make(path)
        try write(SamplesFile.header, to: "samples.csv")
    }

    /// Appends one block's samples and flushes them.
    public func append(_ samples: [Sample], run: String) throws(Fault) {
        guard AppendedFile.append(SamplesFile.rows(samples, run: run), to: samplesPath) else {
            throw Fault(.inputOutput, "\(samplesPath) cannot be written; the disk may be full")
        }
    }

    /// Writes the files that need the whole run; samples.csv once more, now with its outliers marked.
    public func finish(_ record: RunRecord, rows: [SummaryRow], samples: [Sample], claims: ClaimsOutcome) throws(Fault) {
        try write(SamplesFile.header + SamplesFile.rows(samples, run: record.id, outliers: SamplesFile.outliers(samples)), to: "samples.csv")
        try write(SummaryFile.write(rows, run: record.id), to: "summary.csv")
        try write(claims, run: record.id)
        try write(record.json.bytes(.pretty) + [UInt8(ascii: "\n")], to: "run.json")
    }

    /// Writes claims.csv and growth.csv.
    public func write(_ claims: ClaimsOutcome, run: String) throws(Fault) {
        try write(ClaimsFile.claims(claims.claims, run: run), to: "claims.csv")
        try write(ClaimsFile.growth(claims.curves, run: run), to: "growth.csv")
    }

    /// Writes a whole file: first beside its place, then renamed into it.
    public func write(_ bytes: [UInt8], to name: String) throws(Fault) {
        do {
            try Data(bytes).write(to: URL(filePath: path + "/" + name), options: .atomic)
        } catch {
            throw Fault(.inputOutput, "\(path)/\(name) cannot be written: \(error)")
        }
    }

    /// - Throws: `inputOutput` where the file cannot be read.
    public func read(_ name: String) throws(Fault) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
        } catch {
            throw Fault(.inputOutput, "\(path)/\(name) cannot be read")
        }
    }

    public func record() throws(Fault) -> RunRecord { try RunRecord(json: try read("run.json")) }
    public func rows() throws(Fault) -> [SummaryRow] { try SummaryFile.read(try read("summary.csv")) }
    public func samples() throws(Fault) -> [Sample] { try SamplesFile.read(try read("samples.csv")) }
    /// Accepted reports are kept without their samples.
    public func samplesIfKept() throws(Fault) -> [Sample] { Folders.exists(samplesPath) ? try samples() : [] }
}
