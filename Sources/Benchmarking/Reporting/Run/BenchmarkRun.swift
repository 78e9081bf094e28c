import JSONText
import Soups

/// Does a whole run: measures, looks twice at suspects, judges, and writes the run's folder. What the commands `bench` and `check` share.
public struct BenchmarkRun {
    public let setting: RunSetting
    public let cells: [PlannedCell]
    public let folder: RunFolder
    /// Seconds after which no further block begins; nil for as long as it takes.
    public let timeBudget: Double?
    public let commandLine: [String]
    public let commit: String
    /// The runner's own memory, counted from where the command began.
    private let memory: ProcessMemory

    public init(setting: RunSetting, cells: [PlannedCell], folder: RunFolder, timeBudget: Double? = nil, commandLine: [String], commit: String? = nil,
        memory: ProcessMemory = ProcessMemory()
    ) {
        self.setting = setting
        self.cells = cells
        self.folder = folder
        self.timeBudget = timeBudget
        self.commandLine = commandLine
        self.commit = commit ?? Commit.current()
        self.memory = memory
    }

    /// What came out.
    public struct Outcome: Sendable {
        public let record: RunRecord
        public let rows: [SummaryRow]
        public let samples: [Sample]
        public let claims: ClaimsOutcome
        /// Arms that could not do the work here, with the reason of each, once.
        public let unsupported: [(arm: Arm, reason: String)]
    }

    /// Runs. Everything below the data folder is removed again, whatever happens; the folder of reports keeps what was finished.
    ///
    /// - Throws: `inputOutput` where a folder or a worker fails as a whole. Faults of the work itself are invalid rows.
    public func run(onProgress: @escaping (Runner.Progress) -> Void) throws -> Outcome {
        let machine = Machine.current(), disk = DataDisk.below(setting.dataFolder), libraries = Libraries.find()
        let started = UTCTime.now(), before = Load.current(), clock = Stopwatch.nanoseconds()
        let id = UTCTime.compact() + "-" + commit.prefix(12)
        defer { try? Folders.remove(setting.dataFolder) }
        try Folders.make(setting.dataFolder)
        try folder.begin()

        var samples: [Sample] = []
        let runner = Runner(setting, timeBudget: timeBudget)
        func keep(_ block: [Sample]) throws(Fault) {
            samples += block
            try folder.append(block, run: id)
        }
        var ending = try runner.run(cells, onProgress: onProgress, onBlock: keep)
        if ending == .complete {
            let suspects = RunJudge(cells, samples: samples).suspects()
            for group in [suspects.slower, suspects.undecided] where ending == .complete {
                let again = group.map { planned in
                    var again = planned
                    again.blocks = setting.scope.profile.secondLook
                    return again
                }
                ending = try runner.run(again, look: .second, onProgress: onProgress, onBlock: keep)
            }
        }

        // A run that ended early has cells it never came to; in a whole run a cell without samples is a fault.
        let reached = ending == .complete ? cells : cells.filter { planned in samples.contains { ByteKey($0.cellID) == ByteKey(planned.cell.id) } }
        let rows = RunJudge(reached, samples: samples).rows()
        let record = RunRecord(
            id: id, startedUTC: started, commit: commit, profile: setting.scope.profile.name, seed: setting.scope.seed, commandLine: commandLine,
            fingerprint: Fingerprint.of(machine, disk, libraries), libraries: libraries.identity,
            cellVersions: cells.map { (id: $0.cell.id, version: $0.cell.version) }, corpora: setting.scope.corpora,
            plans: Self.plans(samples), ending: ending,            seconds: Double(Stopwatch.nanoseconds() - clock) / 1e9, 
            faults: RunJudge.faults(in: rows) + [ControlDrift.fault(samples)].compactMap { $0 },            details: JSONObject([
                ("machine", machine.json), ("data_folder", disk.json), ("load_before", before.json), ("load_after", Load.current().json),
                ("libraries", libraries.json), ("missing", .array(libraries.missing.map { .string($0) })), ("build", Build.json),
                ("arms", StorageSettings.json), ("memory", memory(samples)),
                ("control_drift", ControlDrift.measured(samples).flatMap { JSONNumber($0) }.map { .number($0) } ?? .null),
            ]))
        let claims = ClaimsOutcome(cells.map(\.cell), rows: rows, samples: samples)
        try folder.finish(record, rows: rows, samples: samples, claims: claims)
        return Outcome(record: record, rows: rows, samples: samples, claims: claims, unsupported: Self.unsupported(samples))
    }

    /// How far this process and the largest worker grew beyond what they held when they began.
    private func memory(_ samples: [Sample]) -> JSONValue {
        let largest = samples.filter { $0.metric == .workerMemory }.max { ($0.value ?? 0) < ($1.value ?? 0) }
        func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber(Int64($0))) } ?? .null }
        return [
            "runner_growth_bytes": number(memory.growth), "worker_growth_bytes": number(largest?.value),
            "worker_cell": largest.map { .string($0.cellID) } ?? .null,
        ]
    }

    /// The plans of each cell's arms, as they were in the last block.
    private static func plans(_ samples: [Sample]) -> [RunRecord.Plan] {
        var plans: [RunRecord.Plan] = []
        var places: [ByteKey: Int] = [:]
        for sample in samples where sample.metric == .queryPlan {
            let plan = RunRecord.Plan(cellID: sample.cellID, arm: sample.arm, text: sample.note)
            let key = ByteKey(sample.cellID + " " + sample.arm.name)
            if let place = places[key] {
                plans[place] = plan
            } else {
                places[key] = plans.count
                plans.append(plan)
            }
        }
        return plans
    }

    private static func unsupported(_ samples: [Sample]) -> [(arm: Arm, reason: String)] {
        var found: [(arm: Arm, reason: String)] = []
        for sample in samples where sample.metric == .unsupported && !found.contains(where: { $0.arm == sample.arm && $0.reason == sample.note }) {
            found.append((sample.arm, sample.note))
        }
        return found
    }
}
