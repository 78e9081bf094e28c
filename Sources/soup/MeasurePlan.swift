import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

/// A run that is ready to begin.
struct MeasurePlan {
    let setting: RunSetting
    /// The cells of the whole run; `shard` says which are measured here.
    var plan: ShardPlan
    let shard: Shard
    let folder: RunFolder
    /// Whether the folder holds a run that is to be continued.
    let isResumed: Bool
    let timeBudget: Double?
    let costs: CostTable
    let commit: String?
    /// The folder of accepted reports, for what equal builds differ by.
    let reports: String
    let isQuiet: Bool
    /// The memory of this process before the documents were read.
    let memory: ProcessMemory

    /// The plan with another number of pairs for every cell.
    func with(blocks: Int) -> MeasurePlan {
        var other = self
        other.plan = plan.with(blocks: blocks)
        return other
    }

    /// The cells that are measured here.
    var cells: [PlannedCell] { plan.cells(of: shard) }

    /// Measures, with progress on standard error, and writes the run's folder.
    func measure() throws -> BenchmarkRun.Outcome {
        if !Build.isOptimised, !isQuiet {
            StandardError.say("bench: this is a debug build; only a release build's figures mean anything")
        }
        Interruption.watch()
        for left in LeftOverData.remove(nextTo: setting.dataFolder) where !isQuiet {
            StandardError.say("bench: " + left.text)
        }
        let progress = RunProgress(isQuiet: isQuiet)
        let run = BenchmarkRun(
            catalogue: SoupCells(), setting: setting, plan: plan, shard: shard, folder: folder, isResumed: isResumed,
            timeBudget: timeBudget,
            costs: costs,
            commandLine: ["soup"] + CommandLine.arguments.dropFirst(), commit: commit, reports: reports, memory: memory)
        do {
            let outcome = try run.run { progress.show($0) }
            progress.end()
            return outcome
        } catch let fault as Fault {
            progress.end()
            throw ExitStatus.refuse(fault.description)
        }
    }
}
