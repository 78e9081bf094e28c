import JSONText
import Soups

/// Takes the turns of a block, one after another, and keeps the samples.
///
/// After a fault of its work, or an answer that cannot be read, an arm has no further turns in this block.
struct BlockTurns {
    private let block: Block
    private let workers: [Arm: WorkerProcess]
    /// The names of the arms in the order of the turns.
    private let order: String
    private var measured: [Sample] = []
    /// What is said of each arm that has no further turns.
    private var lost: [Arm: Sample] = [:]

    private var cell: Cell { block.planned.cell }

    init(_ block: Block, workers: [Arm: WorkerProcess], order: [Arm]) {
        self.block = block
        self.workers = workers
        self.order = order.map(\.name).joined(separator: ">")
    }

    /// The samples of all turns, then what is said of lost arms, in this order of the arms.
    func samples(_ arms: [Arm]) -> [Sample] { measured + arms.compactMap { lost[$0] } }

    /// Has an arm prepared, run and checked by its worker.
    ///
    /// - Throws: `closed` if the run was interrupted, `inputOutput` if a folder cannot be created.
    mutating func take(_ arm: Arm, slot: Int) throws(Fault) {
        try prepare(arm, slot)
        let first = measured.count
        let answer = try ask(arm, slot, WorkerMessage.step("run", arm))
        for measurement in read(arm, slot, answer, WorkerMessage.measurements) ?? [] {
            var one = sample(arm, slot, .metric(measurement.metric), value: measurement.value)
            one.isWarmUp = measurement.warm
            one.iterations = measurement.iterations
            measured.append(one)
        }
        try check(arm, slot, samplesFrom: first)
    }

    private mutating func prepare(_ arm: Arm, _ slot: Int) throws(Fault) {
        let workplace = try block.setting.workplace(of: arm)
        let prepared = try ask(
            arm, slot, WorkerMessage.prepare(cell: cell, arm: Arm(arm.work.name), workplace: workplace, named: arm))
        guard let version = read(arm, slot, prepared, WorkerMessage.definition),
            ByteKey(version) != ByteKey(cell.version)
        else {
            return
        }
        lost[arm] = sample(
            arm, slot, .remark(.unsupported),
            note: "the other build defines the cell differently (\(version), here \(cell.version))")
    }

    private mutating func check(_ arm: Arm, _ slot: Int, samplesFrom first: Int) throws(Fault) {
        let checked = read(arm, slot, try ask(arm, slot, WorkerMessage.step("check", arm)), WorkerMessage.check)
        for index in measured[first...].indices {
            measured[index].digest = checked?.digest ?? ""
        }
        if let found = checked?.marker {
            measured.append(sample(arm, slot, .remark(.marker), value: found ? 1 : 0))
        }
        if let plan = checked?.plan {
            measured.append(sample(arm, slot, .remark(.queryPlan), note: plan))
        }
        if let memory = checked?.memory {
            measured.append(sample(arm, slot, .remark(.workerMemory), value: memory))
        }
    }

    /// Asks an arm's worker for a step; `nil` for an arm that is lost. An interruption ends the block.
    private mutating func ask(_ arm: Arm, _ slot: Int, _ request: JSONValue) throws(Fault) -> JSONValue? {
        guard lost[arm] == nil, let worker = workers[arm] else { return nil }
        do throws(Fault) {
            let answer = try worker.ask(request, until: block.waitingEnds)
            guard let reason = answer["unsupported"]?.string else {
                return answer
            }
            lost[arm] = sample(arm, slot, .remark(.unsupported), note: reason)
        } catch {
            if Interruption.isRequested {
                throw Fault(.closed, "the run was interrupted")
            }
            lost[arm] = sample(arm, slot, .remark(.failed), note: error.message)
        }
        return nil
    }

    /// Reads an answer. Returns `nil` if the worker gave no answer, and if it cannot be read, which loses the arm.
    private mutating func read<Content>(
        _ arm: Arm, _ slot: Int, _ answer: JSONValue?, _ parse: (JSONValue) throws(Fault) -> Content
    ) -> Content? {
        guard let answer else { return nil }
        do throws(Fault) {
            return try parse(answer)
        } catch {
            lost[arm] = sample(arm, slot, .remark(.failed), note: error.message)
            return nil
        }
    }

    private func sample(
        _ arm: Arm, _ slot: Int, _ content: Sample.Content, value: Int? = nil, note: String = ""
    ) -> Sample {
        Sample(
            cellID: cell.id, workload: cell.workload, parameters: cell.parameterText, arm: arm,
            process: workers[arm]?.identifier ?? 0, block: block.number, slot: slot, order: order, look: block.look,
            content: content, value: value, note: note)
    }
}
