import Platform
package import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the accepted reports: a folder for each kind of machine, and a list that names the accepted run of each
/// profile.
package struct Baselines: Sendable {
    package let folder: String

    package init(folder: String) { self.folder = folder }

    package struct Entry: Sendable, Hashable {
        package var fingerprint: String
        package var profile: Profile.Name
        /// Which documents: generated ones or a named file.
        package var corpus: String
        package var runID: String
        package var acceptedUTC: String

        /// Whether a run is of the same machine, profile and documents.
        func isReplaced(by record: RunRecord) -> Bool {
            ByteKey(fingerprint) == ByteKey(record.fingerprint) && profile == record.profile
                && ByteKey(corpus) == ByteKey(Baselines.corpus(of: record))
        }
    }

    private static let file = CSVFile<Entry>(
        name: "baselines.csv",
        columns: [
            folderName("fingerprint", "the kind of machine", \.fingerprint),
            .choice("profile", "the profile of the run", \.profile),
            .text("corpus", "generated, or the names of the documents", \.corpus),
            folderName("run_id", "the accepted run", \.runID),
            .text("accepted_utc", "when it was accepted", \.acceptedUTC),
        ])

    /// A column whose texts name folders.
    private static func folderName(
        _ name: String, _ meaning: String, _ property: Column<Entry>.Property<String>
    ) -> Column<Entry> {
        Column(
            name, .string, meaning, write: { $0[keyPath: property] },
            read: { (entry, field) throws(Fault) in
                try ReportName.check(field.text, "\(field.record): the \(name)", .syntax)
                entry[keyPath: property] = field.text
            })
    }

    /// Returns the accepted runs; an empty list without a baselines.csv.
    package func entries() throws(Fault) -> [Entry] {
        guard Folders.exists(folder + "/baselines.csv") else {
            return []
        }
        let empty = Entry(fingerprint: "", profile: .smoke, corpus: "", runID: "", acceptedUTC: "")
        let bytes = try RunFolder(path: folder).read("baselines.csv")
        return try Self.file.read(bytes, into: empty) { (entry, _) throws(Fault) in entry }
    }

    package func path(of entry: Entry) -> String { path(fingerprint: entry.fingerprint, run: entry.runID) }

    func path(fingerprint: String, run: String) -> String { folder + "/" + fingerprint + "/" + run }

    /// The accepted report that fits a run best: of the same kind of machine, else with the same libraries, else any,
    /// with the same profile and documents; nil if none was accepted.
    package func best(for record: RunRecord) throws(Fault) -> Entry? {
        let fitting = try entries().filter {
            $0.profile == record.profile && ByteKey($0.corpus) == ByteKey(Self.corpus(of: record))
        }
        if let own = fitting.last(where: { ByteKey($0.fingerprint) == ByteKey(record.fingerprint) }) {
            return own
        }
        for entry in fitting.reversed() {
            let stored = try RunFolder(path: path(of: entry)).record()
            if ByteKey(stored.libraries) == ByteKey(record.libraries) {
                return entry
            }
        }
        return fitting.last
    }

    /// Accepts a run: copies summary.csv, run.json and manifest.csv below the folder, and makes it the baseline of its
    /// machine, profile and documents.
    /// - Parameter fewerCells: Whether the run may lack cells of the report that it replaces. Later checks do not cover
    ///   them.
    /// - Throws: `invalidArguments` for a run that is not valid, incomplete, compared with another build or measured
    ///   with too few pairs, and if another report with its name was accepted; `inputOutput`.
    @discardableResult
    package func accept(_ run: RunFolder, fewerCells: Bool = false) throws(Fault) -> Entry {
        let record = try run.record()
        guard record.faults.isEmpty else {
            throw Fault(
                .invalidArguments,
                "the run is not valid and cannot be accepted: \(record.faults.joined(separator: "; "))")
        }
        guard record.ending == .complete else {
            throw Fault(.invalidArguments, "the run is not complete (\(record.ending.rawValue)) and cannot be accepted")
        }
        guard record.shard == .whole else {
            throw Fault(
                .invalidArguments, "the run is only shard \(record.shard); join all shards first: soup merge")
        }
        if let obstacle = Self.obstacle(try StoredReport(folder: run.path).rows) {
            throw Fault(.invalidArguments, obstacle)
        }
        let known = try entries()
        let lost = try cellsLost(by: record, replacing: known.last { $0.isReplaced(by: record) })
        guard fewerCells || lost.isEmpty else {
            throw Fault(
                .invalidArguments,
                "the run lacks cells of the accepted report (\(lost.joined(separator: ", "))), which later checks would not cover; measure the whole profile, or use --fewer-cells"
            )
        }
        let entry = Entry(
            fingerprint: record.fingerprint, profile: record.profile, corpus: Self.corpus(of: record), runID: record.id,
            acceptedUTC: UTCTime.now())
        try copy(run, to: RunFolder(path: path(of: entry)))
        let others = known.filter { !$0.isReplaced(by: record) }
        try RunFolder(path: folder).write(Self.file.write(others + [entry]), to: "baselines.csv")
        return entry
    }

    /// Why these rows could not be compared with later runs; nil if they can.
    private static func obstacle(_ rows: [SummaryRow]) -> String? {
        if let other = rows.flatMap({ [$0.baseArm, $0.arm] }).first(where: { $0.build != nil }) {
            return
                "the run measured another build (\(other)) in between, so later runs cannot be compared with it; measure again without --beside"
        }
        let thin = rows.filter {
            $0.metric == .wall && $0.arm != .none && $0.verdict != .invalid && $0.estimate?.interval == nil
        }
        return thin.isEmpty
            ? nil
            : "\(thin.count) ratios have too few pairs for an interval (\(thin[0].cellID)); measure with more pairs: --pairs 6, or better 10"
    }

    /// The cells of the replaced report that a run lacks.
    private func cellsLost(by record: RunRecord, replacing entry: Entry?) throws(Fault) -> [String] {
        guard let entry else {
            return []
        }
        return try RunFolder(path: path(of: entry)).record().cellVersions.map(\.id).filter {
            record.version(of: $0) == nil
        }
    }

    /// Writes a report, or checks that an existing one is the same: an accepted report never changes.
    private func copy(_ run: RunFolder, to target: RunFolder) throws(Fault) {
        func bytes(_ name: String, in folder: RunFolder) throws(Fault) -> [UInt8]? {
            Folders.exists(folder.path + "/" + name) ? try folder.read(name) : nil
        }
        let isWhole = Folders.exists(target.recordPath)
        // run.json is written last: with it the report is complete.
        var files: [(name: String, bytes: [UInt8]?)] = []
        for name in ["summary.csv", "manifest.csv", "run.json"] {
            let own = try name == "manifest.csv" ? bytes(name, in: run) : run.read(name)
            let kept = try bytes(name, in: target)
            guard kept == own || kept == nil && !isWhole else {
                throw Fault(
                    .invalidArguments,
                    "\(target.path) already holds another report of this run with a different \(name); an accepted report is never overwritten"
                )
            }
            files.append((name, own))
        }
        try Folders.make(target.path)
        for case (let name, let bytes?) in files {
            try target.write(bytes, to: name)
        }
    }

    /// All accepted reports that can be read, oldest first.
    package func history() throws(Fault) -> [StoredReport] { try found().map(\.report) }

    /// Returns the same reports, each with its folder.
    func found() throws(Fault) -> [(folder: RunFolder, report: StoredReport)] {
        var found: [(folder: RunFolder, report: StoredReport)] = []
        for machine in Folders.names(in: folder) {
            for run in Folders.names(in: folder + "/" + machine)
            where Folders.exists(folder + "/" + machine + "/" + run + "/run.json") {
                let runFolder = RunFolder(path: folder + "/" + machine + "/" + run)
                found.append((runFolder, try StoredReport(folder: runFolder.path)))
            }
        }
        return found.sorted { $0.report.record.startedUTC < $1.report.record.startedUTC }
    }

    static func corpus(of record: RunRecord) -> String {
        record.corpora.contains(where: \.isGenerated) || record.corpora.isEmpty
            ? "generated" : record.corpora.map(\.name).joined(separator: " ")
    }
}
