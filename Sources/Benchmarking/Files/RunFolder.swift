import CSVText
import JSONText
import Platform
package import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes and reads the files of a run: run.json and manifest.csv at its beginning and again at its end, samples.csv
/// while it runs, and summary.csv, claims.csv, growth.csv and report files at its end.
package struct RunFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var samplesPath: String { path + "/samples.csv" }
    package var summaryPath: String { path + "/summary.csv" }
    package var recordPath: String { path + "/run.json" }
    package var manifestPath: String { path + "/manifest.csv" }

    /// Makes the folder and an empty samples.csv.
    ///
    /// - Throws: `inputOutput`; `invalidArguments` if the folder holds another run.
    package func begin() throws(Fault) {
        if Folders.exists(samplesPath) || Folders.exists(recordPath) {
            throw Fault(.invalidArguments, "\(path) already holds a run; name another folder")
        }
        try Folders.make(path)
        try write(SamplesFile.header, to: "samples.csv")
    }

    /// Keeps other processes from measuring into the same folder, for as long as the lock lives.
    ///
    /// - Throws: `busy` if another run holds the folder, `inputOutput` if it cannot be opened.
    func lock() throws(Fault) -> FolderLock {
        let lock: FolderLock?
        do { lock = try FolderLock(path) } catch {
            throw Fault(.inputOutput, "the folder \(path) cannot be locked: \(error)")
        }
        guard let lock else {
            throw Fault(.busy, "another process is measuring into \(path); wait for its end")
        }
        return lock
    }

    /// Writes what the run is to be, so that a run that was killed can be recognised and resumed.
    package func write(_ record: RunRecord, _ manifest: Manifest) throws(Fault) {
        try write(ManifestFile.write(manifest, run: record.id), to: "manifest.csv")
        try write(record.json.bytes(.pretty) + [UInt8(ascii: "\n")], to: "run.json")
    }

    /// Appends one block's samples and flushes them.
    package func append(_ samples: [Sample], run: String) throws(Fault) {
        do {
            try OpenFile(samplesPath, .appending).append(SamplesFile.rows(samples, run: run))
        } catch {
            throw Fault(.inputOutput, "\(samplesPath) cannot be written; the disk may be full")
        }
    }

    /// Replaces samples.csv by these samples.
    func rewrite(_ samples: [Sample], run: String) throws(Fault) {
        try write(SamplesFile.header + SamplesFile.rows(samples, run: run), to: "samples.csv")
    }

    /// Writes the files that need the whole run; samples.csv once more, now with its outliers marked.
    package func finish(_ record: RunRecord, rows: [SummaryRow], samples: [Sample], claims: ClaimsOutcome) throws(Fault)
    {
        try write(
            SamplesFile.header + SamplesFile.rows(samples, run: record.id, outliers: SamplesFile.outliers(samples)),
            to: "samples.csv")
        try write(SummaryFile.write(rows, run: record.id), to: "summary.csv")
        try write(claims, run: record.id)
        try write(record.json.bytes(.pretty) + [UInt8(ascii: "\n")], to: "run.json")
    }

    /// Writes claims.csv and growth.csv.
    package func write(_ claims: ClaimsOutcome, run: String) throws(Fault) {
        try write(ClaimsFile.write(claims.claims, run: run), to: "claims.csv")
        try write(GrowthFile.write(claims.curves, run: run), to: "growth.csv")
    }

    /// Writes a whole file: first under another name in the same folder, then renamed.
    package func write(_ bytes: [UInt8], to name: String) throws(Fault) {
        try Self.write(bytes, toFile: path + "/" + name)
    }

    package static func write(_ bytes: [UInt8], toFile path: String) throws(Fault) {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be written: \(FileReason.text(error))")
        }
    }

    /// - Throws: `inputOutput` if the file cannot be read.
    package func read(_ name: String) throws(Fault) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
        } catch {
            throw Fault(.inputOutput, "\(path)/\(name) cannot be read: name the folder of a run of soup bench")
        }
    }

    package func record() throws(Fault) -> RunRecord { try RunRecord(json: try read("run.json")) }
    /// - Parameter run: The run that all rows must belong to; nil for any.
    package func rows(of run: String? = nil) throws(Fault) -> [SummaryRow] {
        try SummaryFile.read(try read("summary.csv"), run: run)
    }
    package func samples() throws(Fault) -> [Sample] { try SamplesFile.read(try read("samples.csv")) }
    /// The samples without the last line if that is incomplete. Some samples of an incomplete block may be left.
    func wholeSamples() throws(Fault) -> [Sample] {
        try SamplesFile.read(CSVText.wholeRecords(try read("samples.csv")))
    }
    package func manifest() throws(Fault) -> Manifest { try ManifestFile.read(try read("manifest.csv")) }
    /// Returns nil for reports from before schema 1.2, which have no manifest.
    package func manifestIfKept() throws(Fault) -> Manifest? { Folders.exists(manifestPath) ? try manifest() : nil }
    /// Accepted reports are kept without their samples.
    package func samplesIfKept() throws(Fault) -> [Sample] { Folders.exists(samplesPath) ? try samples() : [] }
}
