import JSONText
import Platform
import Soups

/// The earlier sessions of a run that was interrupted, ran out of time, or was killed: its description, and the blocks
/// that it finished.
///
/// A run can only be continued as it was begun: on the same kind of machine, with the same commit and the same cells.
/// An incomplete block of a killed run is discarded and measured again.
struct ResumedRun {
    /// As it was begun; the seconds are those of the finished blocks, and the details are only when it was resumed.
    let record: RunRecord
    let blocks: FinishedBlocks

    /// - Throws: `invalidArguments` if the folder holds no run that can be resumed.
    static func expect(in folder: RunFolder) throws(Fault) {
        guard Folders.exists(folder.recordPath), Folders.exists(folder.manifestPath) else {
            throw Fault(
                .invalidArguments,
                "\(folder.path) holds no run that can be resumed; begin one with --output \(folder.path)")
        }
    }

    /// - Throws: `invalidArguments` if the folder holds a whole run, or another one, with what differs, or samples
    ///   twice; `inputOutput`, `syntax`, `invalidJSON`, `unsupported` if its files are broken.
    init(_ folder: RunFolder, as wanted: RunRecord, _ manifest: Manifest) throws(Fault) {
        var record = try folder.record()
        guard record.ending != .complete else {
            throw Fault(.invalidArguments, "the run in \(folder.path) is complete; there is nothing to resume")
        }
        let planned = try folder.manifest()
        if let difference = Self.difference(record, wanted) ?? Self.difference(planned, manifest) {
            let command = record.commandLine.joined(separator: " ")
            throw Fault(
                .invalidArguments,
                "the run in \(folder.path) cannot continue as this one: \(difference); it was begun with: \(command)")
        }
        blocks = FinishedBlocks(try folder.wholeSamples())
        if let doubled = blocks.doubled.first {
            throw Fault(
                .invalidArguments,
                "\(folder.samplesPath) holds samples of block \(doubled.number) of \(doubled.cellID) twice, so none of them can be trusted; begin a new run"
            )
        }
        let times = (record.details["resumed_utc"]?.array ?? []) + [.string(UTCTime.now())]
        record.details = JSONObject([("resumed_utc", .array(times))])
        record.seconds = blocks.seconds
        record.ending = .running
        record.faults = []
        self.record = record
    }

    private static func difference(_ stored: RunRecord, _ wanted: RunRecord) -> String? {
        func corpora(_ record: RunRecord) -> String {
            record.corpora.map { $0.name + " " + $0.hash }.joined(separator: ", ")
        }
        let facts = [
            ("the commit", stored.commit, wanted.commit),
            ("the kind of machine", stored.fingerprint, wanted.fingerprint),
            ("the profile", stored.profile.rawValue, wanted.profile.rawValue),
            ("the seed", String(stored.seed), String(wanted.seed)),
            ("the shard", stored.shard.description, wanted.shard.description),
            ("the corpus", corpora(stored), corpora(wanted)),
        ]
        return facts.first { ByteKey($0.1) != ByteKey($0.2) }.map { "\($0.0) was \($0.1) and is \($0.2)" }
    }

    private static func difference(_ stored: Manifest, _ wanted: Manifest) -> String? {
        let cells = stored.differences(from: wanted)
        return cells.isEmpty ? nil : "the plan differs for \(cells.joined(separator: ", "))"
    }
}
