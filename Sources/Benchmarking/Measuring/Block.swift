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
            let build = ByteKey(arm.build ?? "")
            if byBuild[build] == nil {
                byBuild[build] = try start(executable: setting.executable(of: arm.build ?? ""))
            }
            workers[arm] = byBuild[build]
        }
        let order = Rotation.order(of: planned.arms, block: number)
        let slots = (0..<max(1, planned.turns)).flatMap { $0 % 2 == 0 ? order : order.reversed() }
        var turns = BlockTurns(self, workers: workers, order: slots)
        for (slot, arm) in slots.enumerated() {
            try turns.take(arm, slot: slot)
        }
        return turns.samples(order)
    }

    /// Reports that the runner is still there, and says whether it should stop waiting.
    func waitingEnds() -> Bool {
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
