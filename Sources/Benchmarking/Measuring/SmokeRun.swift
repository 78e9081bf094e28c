import Soups

/// Runs a cell once in this process, with every arm: the figures are meaningless, but preparing, running, checking and
/// judging are the same.
///
/// The tests run all cells like this, so that every cell keeps working.
struct SmokeRun {
    private let planned: PlannedCell
    private var bench = ArmBench()
    private var samples: [Sample] = []
    /// The arms whose work failed or is not supported.
    private var lost: Set<Arm> = []

    private init(_ planned: PlannedCell) { self.planned = planned }

    /// The samples of one block.
    ///
    /// - Throws: `inputOutput` if a folder cannot be made. Faults of the work are samples, as in a real run.
    static func samples(_ planned: PlannedCell, seed: UInt64 = 1, dataFolder: String) throws(Fault) -> [Sample] {
        let setting = RunSetting(
            scope: CellScope(profile: Profile(.smoke), sizes: [], seed: seed), executable: "", workerArguments: [],
            dataFolder: dataFolder)
        var run = SmokeRun(planned)
        for arm in planned.arms {
            let folders = try setting.workplace(of: arm)
            let workplace = Workplace(
                arm: arm.work, folder: folders.folder, templates: folders.templates, seed: seed,
                masters: folders.masters)
            run.attempt(arm) { (run) throws(Fault) in try run.prepare(arm, workplace) }
        }
        for arm in planned.arms {
            run.attempt(arm) { (run) throws(Fault) in try run.measure(arm) }
        }
        for arm in planned.arms {
            run.attempt(arm) { (run) throws(Fault) in try run.check(arm) }
        }
        for arm in planned.arms {
            try Folders.remove(setting.folder(of: arm) + "/block")
        }
        return run.samples
    }

    /// Performs a step of an arm unless an earlier one has failed.
    private mutating func attempt(_ arm: Arm, _ step: (inout SmokeRun) throws(Fault) -> Void) {
        guard !lost.contains(arm) else { return }
        do throws(Fault) {
            try step(&self)
        } catch {
            lost.insert(arm)
            samples.append(sample(arm, .remark(.failed), note: error.description))
        }
    }

    private mutating func prepare(_ arm: Arm, _ workplace: Workplace) throws(Fault) {
        guard let reason = try bench.prepare(planned.cell, as: arm, workplace) else { return }
        lost.insert(arm)
        samples.append(sample(arm, .remark(.unsupported), note: reason))
    }

    private mutating func measure(_ arm: Arm) throws(Fault) {
        for measured in try bench.run(arm, quickly: true) {
            var one = sample(arm, .metric(measured.metric), value: measured.value)
            one.iterations = measured.iterations
            samples.append(one)
        }
    }

    private mutating func check(_ arm: Arm) throws(Fault) {
        let check = try bench.check(arm)
        for index in samples.indices where samples[index].arm == arm {
            samples[index].digest = check.digest
        }
        if let marker = check.marker {
            samples.append(sample(arm, .remark(.marker), value: marker ? 1 : 0))
        }
        if let plan = check.plan {
            samples.append(sample(arm, .remark(.queryPlan), note: plan))
        }
    }

    private func sample(_ arm: Arm, _ content: Sample.Content, value: Int? = nil, note: String = "") -> Sample {
        let cell = planned.cell
        return Sample(
            cellID: cell.id, workload: cell.workload, parameters: cell.parameterText, arm: arm, process: 0, block: 0,
            slot: planned.arms.firstIndex(of: arm) ?? 0, order: planned.arms.map(\.name).joined(separator: ">"),
            look: .first, content: content, value: value, note: note)
    }
}
