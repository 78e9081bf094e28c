package import Soups

/// All shards of one run, after checking that together they are the plan: each cell is measured once, and the control
/// and the null row's cell in each shard.
///
/// Every shard contains the plan of all of them, so a missing shard is always noticed.
package struct ShardSet: Sendable {
    /// In the order of their numbers.
    let runs: [ShardRun]

    /// Why shards are not valid, each with its shard. Such a shard does not count and is measured again as a whole,
    /// never averaged.
    package var faults: [String] {
        runs.flatMap { run in run.record.faults.map { "\(run.name): \($0); measure this shard again" } }
    }

    /// - Throws: `invalidArguments` with the names of the cells if a shard is missing, given twice, incomplete, or of
    ///   another plan, commit, seed, profile, set of documents, libraries or kind of machine; `inputOutput`, `syntax`,
    ///   `invalidJSON`, `unsupported` if a folder does not hold a run of this schema.
    package init(folders: [String]) throws(Fault) {
        var runs: [ShardRun] = []
        for folder in folders {
            runs.append(try ShardRun(path: folder))
        }
        guard let first = runs.first else {
            throw Fault(.invalidArguments, "name the folders of all shards of a run")
        }
        for run in runs.dropFirst() {
            if let difference = Self.difference(first.record, run.record) {
                throw Fault(.invalidArguments, "\(first.name) and \(run.name) are of different runs: \(difference)")
            }
            let cells = first.manifest.differences(from: run.manifest)
            guard cells.isEmpty else {
                throw Fault(
                    .invalidArguments,
                    "\(first.name) and \(run.name) are of different plans; they differ in \(cells.joined(separator: ", "))"
                )
            }
        }
        for shard in Shard.all(of: first.shard.count) {
            let found = runs.filter { $0.shard == shard }
            let cells = first.manifest.rows.filter { $0.shard == shard }.map(\.cellID).joined(separator: ", ")
            if found.isEmpty {
                throw Fault(.invalidArguments, "shard \(shard) is missing, and with it \(cells)")
            }
            if found.count > 1 {
                throw Fault(
                    .invalidArguments,
                    "shard \(shard) is there \(found.count) times (\(found.map(\.path).joined(separator: ", "))), and with it \(cells)"
                )
            }
        }
        for run in runs where run.record.faults.isEmpty {
            if let reason = run.incompleteness {
                throw Fault(.invalidArguments, reason)
            }
        }
        self.runs = runs.sorted { $0.shard < $1.shard }
    }

    /// All shards have the same record, except for what is their own.
    var record: RunRecord { runs[0].record }

    private static func difference(_ first: RunRecord, _ other: RunRecord) -> String? {
        func corpora(_ record: RunRecord) -> String {
            record.corpora.map { $0.name + " " + $0.hash }.joined(separator: ", ")
        }
        let facts = [
            ("commit", first.commit, other.commit), ("profile", first.profile.rawValue, other.profile.rawValue),
            ("seed", String(first.seed), String(other.seed)),
            ("libraries", first.libraries, other.libraries), ("kind of machine", first.fingerprint, other.fingerprint),
            ("documents", corpora(first), corpora(other)),
            ("number of shards", String(first.shard.count), String(other.shard.count)),
        ]
        return facts.first { ByteKey($0.1) != ByteKey($0.2) }.map { "\($0.0): \($0.1), and \($0.2)" }
    }
}
