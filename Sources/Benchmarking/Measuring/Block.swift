import JSONText
import Soups

/// Measures one block: every arm of a cell in a fresh process (one for each build), turn by turn, `PlannedCell.turns`
/// times each.
///
/// An arm is prepared, run, checked and closed before the next one begins: so a worker holds the caches of one store
/// only, and no arm is measured while another one has files open. The second turns are taken in the opposite order, so
/// that drift cancels out.
struct Block {
    let planned: PlannedCell
    let number: Int
    let look: Sample.Look
    let setting: RunSetting
    /// Called about every second while a worker works: a block can take minutes.
    var onWait: () -> Void = {}

    private var cell: Cell { planned.cell }

    /// Runs the block and returns its samples; a failure of an arm is a sample too (`failed`, `unsupported`).
    ///
    /// - Throws: `closed` if the run was interrupted, `inputOutput` if no worker can be started or no folder created.
    func run() throws(Fault) -> [Sample] {
        var workers: [Arm: WorkerProcess] = [:]
        var byBuild: [ByteKey: WorkerProcess] = [:]
        // The folders are removed last, when the workers have ended.
        defer {
            for arm in planned.arms {
                try? Folders.remove(setting.folder(of: arm) + "/block")
            }
        }
        defer {
            for worker in byBuild.values {
                if Interruption.isRequested {
                    worker.stop()
                } else {
                    worker.finish()
                }
            }
        }
        for arm in planned.arms {
            let build = arm.build ?? ""
            if byBuild[ByteKey(build)] == nil {
                byBuild[ByteKey(build)] = try start(executable: setting.executable(of: build))
            }
            workers[arm] = byBuild[ByteKey(build)]
        }

        let order = Rotation.order(of: planned.arms, block: number)
        let slots = (0..<max(1, planned.turns)).flatMap { $0 % 2 == 0 ? order : order.reversed() }
        let orderText = slots.map(\.name).joined(separator: ">")
        var lost: [Arm: Sample] = [:]
        func sample(_ arm: Arm, _ slot: Int, _ content: Sample.Content, value: Int? = nil, note: String = "") -> Sample
        {
            Sample(
                cellID: cell.id, workload: cell.workload, parameters: cell.parameterText, arm: arm,
                process: workers[arm]?.identifier ?? 0,
                block: number, slot: slot, order: orderText, look: look, content: content, value: value, note: note)
        }
        /// Asks an arm's worker for a step. After a fault of the work the arm has no samples in this block; an
        /// interruption ends the block.
        func ask(_ arm: Arm, _ slot: Int, _ request: JSONValue) throws(Fault) -> JSONValue? {
            guard lost[arm] == nil, let worker = workers[arm] else { return nil }
            do throws(Fault) {
                let answer = try worker.ask(request, until: waitingEnds)
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

        /// Reads an answer. If it cannot be read, the arm has no samples in this block either.
        func read<Content>(
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

        var samples: [Sample] = []
        for (slot, arm) in slots.enumerated() {
            let workplace = try setting.workplace(of: arm)
            let prepared = try ask(
                arm, slot, WorkerMessage.prepare(cell: cell, arm: Arm(arm.work.name), workplace: workplace, named: arm))
            if let version = read(arm, slot, prepared, WorkerMessage.definition),
                ByteKey(version) != ByteKey(cell.version)
            {
                lost[arm] = sample(
                    arm, slot, .remark(.unsupported),
                    note: "the other build defines the cell differently (\(version), here \(cell.version))")
            }
            let first = samples.count
            let measured = try ask(arm, slot, WorkerMessage.step("run", arm))
            for measurement in read(arm, slot, measured, WorkerMessage.measurements) ?? [] {
                var one = sample(arm, slot, .metric(measurement.metric), value: measurement.value)
                one.isWarmUp = measurement.warm
                one.iterations = measurement.iterations
                samples.append(one)
            }
            let checked = read(arm, slot, try ask(arm, slot, WorkerMessage.step("check", arm)), WorkerMessage.check)
            for index in samples[first...].indices {
                samples[index].digest = checked?.digest ?? ""
            }
            if let found = checked?.marker {
                samples.append(sample(arm, slot, .remark(.marker), value: found ? 1 : 0))
            }
            if let plan = checked?.plan {
                samples.append(sample(arm, slot, .remark(.queryPlan), note: plan))
            }
            if let memory = checked?.memory {
                samples.append(sample(arm, slot, .remark(.workerMemory), value: memory))
            }
        }
        return samples + order.compactMap { lost[$0] }
    }

    private func waitingEnds() -> Bool {
        onWait()
        return Interruption.isRequested
    }

    private func start(executable: String) throws(Fault) -> WorkerProcess {
        // The padding is drawn from the seed, so that a run can be repeated exactly.
        var random = SplitMix(seed: setting.scope.seed &+ UInt64(number) &* 7_919)
        let worker = try WorkerProcess(
            executable: executable, arguments: setting.workerArguments, padding: Int(random.next(below: 4_096)))
        do throws(Fault) {
            _ = try worker.ask(WorkerMessage.begin(setting.scope), until: waitingEnds)
        } catch {
            throw Fault(
                Interruption.isRequested ? .closed : .inputOutput,
                "the worker \(executable) does not answer: \(error.message)")
        }
        return worker
    }
}
