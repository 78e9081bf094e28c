import JSONText
import Platform
import Soups

/// Performs a whole run, or one shard of it: measures, takes a second look at suspects, judges, and writes the run's
/// folder. Used by `bench` and `check`.
package struct BenchmarkRun {
    package let catalogue: any CellCatalogue
    package let setting: RunSetting
    /// The cells of the whole run; `shard` says which of them are measured here.
    package let plan: ShardPlan
    package let shard: Shard
    package let folder: RunFolder
    /// Whether the folder holds a run that is to be continued.
    package let isResumed: Bool
    /// Seconds after which no further block begins; nil for no limit.
    package let timeBudget: Double?
    /// What cells took in stored runs, for the estimate.
    package let costs: CostTable
    package let commandLine: [String]
    package let commit: String
    /// The folder of accepted reports, which say how far equal builds differ; `nil` if the folder is missing.
    package let reports: String?
    /// The runner's own memory, counted from the start of the command.
    private let memory: ProcessMemory

    package init(
        catalogue: any CellCatalogue, setting: RunSetting, plan: ShardPlan, shard: Shard = .whole, folder: RunFolder,
        isResumed: Bool = false,
        timeBudget: Double? = nil,
        costs: CostTable = CostTable(), commandLine: [String], commit: String? = nil, reports: String? = nil,
        memory: ProcessMemory = ProcessMemory()
    ) {
        self.catalogue = catalogue
        self.setting = setting
        self.plan = plan
        self.shard = shard
        self.folder = folder
        self.isResumed = isResumed
        self.timeBudget = timeBudget
        self.costs = costs
        self.commandLine = commandLine
        self.commit = commit ?? Commit.current()
        self.reports = reports
        self.memory = memory
    }

    /// The result of a run.
    package struct Outcome: Sendable {
        package let record: RunRecord
        package let rows: [SummaryRow]
        package let samples: [Sample]
        package let claims: ClaimsOutcome
        /// Arms that could not do the work here, with the reason of each, once.
        package let unsupported: [(arm: Arm, reason: String)]

        /// What a command that measured or joined the run reports.
        package var conclusion: Conclusion {
            if !record.faults.isEmpty {
                return .notValid
            }
            if rows.contains(where: \.isRegression) || record.suite.contains(where: \.isRegression) {
                return .regression
            }
            if record.ending == .interrupted {
                return .interrupted
            }
            let besideAnother = rows.filter { RunJudge.gates(.init($0.baseArm, $0.arm)) }
            let isOtherBuildUseless =
                !besideAnother.isEmpty && besideAnother.allSatisfy { $0.estimate == nil && $0.baseMedian == nil }
            return isOtherBuildUseless ? .incomparable : .measured
        }
    }

    /// What a run shows.
    package enum Conclusion: Sendable {
        case measured
        /// A confirmed regression against another build, of a row or of the suite.
        case regression
        case notValid
        /// The other build cannot do any of the work.
        case incomparable
        case interrupted
    }

    private var cells: [PlannedCell] { plan.cells(of: shard) }

    /// Runs. Everything below the data folder is removed again, whatever happens; the folder of reports keeps what was
    /// finished.
    ///
    /// - Throws: `inputOutput` if a folder or a worker fails as a whole; `invalidArguments` if the folder holds
    ///   another run, or the run to resume is not this one; `busy` if that is still going on, or another process
    ///   uses the data folder. Faults of the work itself are invalid rows.
    package func run(onProgress: @escaping (Runner.Progress) -> Void) throws -> Outcome {
        let machine = Machine.current()
        let disk = DataDisk.below(setting.dataFolder)
        let storage = catalogue.storage()
        let before = Load.current()
        let clock = Stopwatch.nanoseconds()
        let manifest = Manifest(plan)
        var record = beginning(Fingerprint.of(machine, disk, libraries: storage.identity), storage)
        var samples: [Sample] = []
        let lock = try begin(&record, &samples, manifest)
        defer { withExtendedLifetime(lock) {} }
        try folder.write(record, manifest)
        let mark = try LeftOverData.make(setting.dataFolder)
        defer {
            try? Folders.remove(setting.dataFolder)
            withExtendedLifetime(mark) {}
        }

        let runner = Runner(setting, timeBudget: timeBudget, shard: shard, finished: samples, expected: costs)
        let offsets = try reports.map { folder throws(Fault) in
            try BuildOffsets.stored(in: folder, fingerprint: record.fingerprint)
        }
        let ending = try measure(runner, &samples, run: record.id, offsets ?? .none, onProgress)

        let judge = RunJudge(reached(ending, samples), samples: samples, offsets: offsets ?? .none)
        let rows = judge.rows()
        record.plans = SampleRemarks.plans(samples)
        record.ending = ending
        record.seconds += Double(Stopwatch.nanoseconds() - clock) / 1e9
        record.suite = judge.suite()
        record.faults = RunJudge.faults(in: rows) + [ControlDrift.fault(samples)].compactMap { $0 }
        record.details = JSONObject(
            details(machine, disk, before, storage, samples) + record.details.members.map { ($0.name, $0.value) })
        let claims = ClaimsOutcome(cells.map(\.cell), rows: rows, samples: samples)
        try folder.write(record, manifest.delivered(FinishedBlocks(samples), by: shard))
        try folder.finish(record, rows: rows, samples: samples, claims: claims)
        return Outcome(
            record: record, rows: rows, samples: samples, claims: claims,
            unsupported: SampleRemarks.unsupported(samples))
    }

    /// Locks the folder, and begins it, or reads what an earlier session of the run has left.
    private func begin(
        _ record: inout RunRecord, _ samples: inout [Sample], _ manifest: Manifest
    ) throws -> FolderLock {
        guard isResumed else {
            try folder.begin()
            return try folder.lock()
        }
        try ResumedRun.expect(in: folder)
        let lock = try folder.lock()
        let earlier = try ResumedRun(folder, as: record, manifest)
        record = earlier.record
        samples = earlier.blocks.samples
        try folder.rewrite(samples, run: record.id)
        return lock
    }

    /// The cells to judge. A run that ended early has cells that it did not reach; in a complete run a cell without
    /// samples is a fault.
    private func reached(_ ending: Runner.Ending, _ samples: [Sample]) -> [PlannedCell] {
        guard ending != .complete else { return cells }
        return cells.filter { planned in samples.contains { ByteKey($0.cellID) == ByteKey(planned.cell.id) } }
    }

    /// The facts of the run that no column of a report has. Reads the load after the run.
    private func details(
        _ machine: Machine, _ disk: DataDisk, _ before: Load, _ storage: StorageFacts, _ samples: [Sample]
    ) -> [(String, JSONValue)] {
        [
            ("machine", machine.json), ("data_folder", disk.json), ("load_before", before.json),
            ("load_after", Load.current().json),
            ("libraries", storage.libraries), ("missing", .array(storage.missing.map { .string($0) })),
            ("build", Build.json),
            ("arms", storage.arms), ("memory", SampleRemarks.memory(samples, runnerGrowth: memory.growth)),
            (
                "control_drift",
                ControlDrift.measured(samples).flatMap { JSONNumber($0) }.map { .number($0) } ?? .null
            ),
        ]
    }

    /// The description of the run before anything is measured.
    private func beginning(_ fingerprint: String, _ storage: StorageFacts) -> RunRecord {
        RunRecord(
            id: UTCTime.compact() + "-" + commit.prefix(12), startedUTC: UTCTime.now(), commit: commit,
            profile: setting.scope.profile.name,
            seed: setting.scope.seed, shard: shard, commandLine: commandLine, fingerprint: fingerprint,
            libraries: storage.identity,
            cellVersions: cells.map { (id: $0.cell.id, version: $0.cell.version) },
            corpora: catalogue.corpora(setting.scope),
            ending: .running, seconds: 0,
            faults: [], details: JSONObject())
    }

    /// Takes both looks. The samples of each block are collected and written to the file.
    private func measure(
        _ runner: Runner, _ samples: inout [Sample], run: String, _ offsets: BuildOffsets,
        _ onProgress: @escaping (Runner.Progress) -> Void
    ) throws -> Runner.Ending {
        var all = samples
        defer { samples = all }
        func keep(_ block: [Sample]) throws(Fault) {
            all += block
            try folder.append(block, run: run)
        }
        var ending = try runner.run(cells, onProgress: onProgress, onBlock: keep)
        guard ending == .complete else {
            return ending
        }
        // Judged by the first look only, so that a run that is resumed within its second look suspects the same cells
        // again.
        let suspects = RunJudge(cells, samples: all.filter { $0.look == .first }, offsets: offsets).suspects()
        let isSecondLookDue = !(suspects.slower.isEmpty && suspects.undecided.isEmpty)
        // A run that is resumed, or that has little time, has no time to wait either.
        if isSecondLookDue, !isResumed, timeBudget == nil, setting.scope.profile.secondLook > 0 {
            Recess.take(Recess.seconds(after: FinishedBlocks(all).seconds))
        }
        for group in [suspects.slower, suspects.undecided] where ending == .complete {
            let again = group.map { planned in
                var again = planned
                again.blocks = setting.scope.profile.secondLook
                return again
            }
            ending = try runner.run(again, look: .second, onProgress: onProgress, onBlock: keep)
        }
        return ending
    }
}
