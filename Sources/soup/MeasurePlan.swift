import ArgumentParser
import Benchmarking
import Soups

/// A run that is ready to begin.
struct MeasurePlan {
    let setting: RunSetting
    var cells: [PlannedCell]
    let folder: RunFolder
    let timeBudget: Double?
    let commit: String?
    let isQuiet: Bool
    /// Of this process, from before the documents were read.
    let memory: ProcessMemory

    /// The same with another number of pairs for every cell.
    func with(blocks: Int) -> MeasurePlan {
        var plan = self
        for place in plan.cells.indices { plan.cells[place].blocks = min(blocks, plan.cells[place].blocks) }
        return plan
    }

    /// Measures, with progress on standard error, and leaves the run's folder.
    func measure() throws -> BenchmarkRun.Outcome {
        if !Build.isOptimised, !isQuiet { StandardError.say("bench: this is a debug build; only a release build's figures mean anything") }
        Interruption.watch()
        let progress = RunProgress(isQuiet: isQuiet)
        let run = BenchmarkRun(
            setting: setting, cells: cells, folder: folder, timeBudget: timeBudget, commandLine: ["soup"] + CommandLine.arguments.dropFirst(), commit: commit,
            memory: memory)
        do {
            let outcome = try run.run { progress.show($0) }
            progress.end()
            return outcome
        } catch let fault as Fault {
            progress.end()
            throw Refusal.say(fault.description)
        }
    }
}

/// Ends a command with exit code 2 and a sentence that says what to do about it.
enum Refusal {
    static func say(_ text: String) -> ExitCode {
        StandardError.say("Error: " + text)
        return ExitCode(2)
    }
}
