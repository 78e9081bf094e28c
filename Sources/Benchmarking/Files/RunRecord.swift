package import JSONText
import Soups

/// Describes a run: when, where and what was measured, and how it ended. The file run.json, with everything that would
/// be the same in each row of a table.
package struct RunRecord: Sendable {
    /// Names the run's folder among accepted reports: in the name of the source, bytes other than letters, digits, `.`,
    /// `_` and `-` become `-`.
    package let id: String
    package let startedUTC: String
    package let commit: String
    package let profile: Profile.Name
    package let seed: UInt64
    /// Which part of the run this is; manifest.csv names the cells of all parts.
    package let shard: Shard
    package let commandLine: [String]
    package let fingerprint: String
    /// Versions and options of the SQLite libraries: runs with others are incomparable.
    package let libraries: String
    /// Hashes of the cells' definitions, by the cells' ids.
    package let cellVersions: [(id: String, version: String)]
    /// Names of the documents measured with, with their hashes.
    package let corpora: [Corpus]
    package var ending: Runner.Ending
    package var seconds: Double
    /// How SQLite answered the statements of each cell's arms.
    package var plans: [Plan]
    /// The verdicts on all rows that gate together, against each other build; empty without another build.
    package var suite: [SuiteVerdict]
    /// Why the run is not valid; empty if it is.
    package var faults: [String]
    /// Everything that is only shown: machine, disk, load, settings of the arms.
    package var details: JSONObject

    package struct Plan: Sendable, Hashable {
        package let cellID: String
        package let arm: Arm
        package let text: String

        package init(cellID: String, arm: Arm, text: String) {
            self.cellID = cellID
            self.arm = arm
            self.text = text
        }
    }

    package init(
        id: String, startedUTC: String, commit: String, profile: Profile.Name, seed: UInt64, shard: Shard = .whole,
        commandLine: [String], fingerprint: String,
        libraries: String, cellVersions: [(id: String, version: String)], corpora: [Corpus],
        plans: [Plan] = [], ending: Runner.Ending, seconds: Double,
        suite: [SuiteVerdict] = [], faults: [String], details: JSONObject
    ) {
        self.id = ReportName.made(of: id)
        self.startedUTC = startedUTC
        self.commit = commit
        self.profile = profile
        self.seed = seed
        self.shard = shard
        self.commandLine = commandLine
        self.fingerprint = fingerprint
        self.libraries = libraries
        self.cellVersions = cellVersions
        self.corpora = corpora
        self.plans = plans
        self.ending = ending
        self.seconds = seconds
        self.suite = suite
        self.faults = faults
        self.details = details
    }

    /// The plans of an arm's statements; `nil` for an arm without statements, and for a report that is
    /// older than plans.
    package func plan(of cellID: String, _ arm: Arm) -> String? {
        plans.first { $0.arm == arm && ByteKey($0.cellID) == ByteKey(cellID) }?.text
    }

    /// Version and options of the library that an arm runs on; empty for work without storage.
    package func library(of arm: Arm) -> String {
        let name: String
        switch arm.backend {
        case .plain, .floor: name = "plain "
        case .cipherOff, .cipher, .passphrase: name = "cipher "
        default: return ""
        }
        let parts = libraries.split(separator: ";").map { SystemFile.trimmed($0) }
        return parts.first { $0.utf8.starts(with: name.utf8) } ?? libraries
    }

    /// The settings that an arm's storage ran with; nil for work without storage.
    package func settings(of arm: Arm) -> JSONValue? { details["arms"]?[arm.backend.name] }

    /// What the number of instructions of the same source depends on, besides the libraries.
    package var instructionFacts: String {
        let machine = details["machine"]
        let build = details["build"]
        let flags = (machine?["flags"]?.array ?? []).compactMap(\.string)
        let texts = [build?["toolchain"], build?["optimisation"], build?["platform"], machine?["system_library"]]
        return (texts.compactMap { $0?.string } + flags).joined(separator: " ")
    }

    /// The hash of a cell's definition in this run; nil if the cell was not part of it.
    package func version(of cellID: String) -> String? {
        cellVersions.first { ByteKey($0.id) == ByteKey(cellID) }?.version
    }
}

extension RunRecord {
    package var json: JSONValue {
        .object(
            JSONObject([
                ("schema", .string(SchemaVersion.current)), ("run_id", .string(id)),
                ("started_utc", .string(startedUTC)), ("commit", .string(commit)),
                ("profile", .string(profile.rawValue)), ("seed", .string(String(seed))),
                ("shard", .string(shard.description)),
                ("command_line", .array(commandLine.map { .string($0) })),
                ("fingerprint", .string(fingerprint)), ("libraries", .string(libraries)),
                ("ending", .string(ending.rawValue)),
                ("seconds", JSONNumber(seconds).map { .number($0) } ?? .null), ("valid", .bool(faults.isEmpty)),
                ("suite", .array(suite.map(\.json))), ("faults", .array(faults.map { .string($0) })),
                ("cells", .object(JSONObject(cellVersions.map { ($0.id, .string($0.version)) }))),
                ("corpora", .object(JSONObject(corpora.map { ($0.name, .string($0.hash)) }))), ("plans", plansJSON),
                ("details", .object(details)),
            ]))
    }

    /// By cell and arm.
    private var plansJSON: JSONValue {
        var cells: [(name: String, arms: [(String, JSONValue)])] = []
        for plan in plans {
            let arm = (plan.arm.name, JSONValue.string(plan.text))
            if let index = cells.firstIndex(where: { ByteKey($0.name) == ByteKey(plan.cellID) }) {
                cells[index].arms.append(arm)
            } else {
                cells.append((plan.cellID, [arm]))
            }
        }
        return .object(JSONObject(cells.map { ($0.name, .object(JSONObject($0.arms))) }))
    }
}
