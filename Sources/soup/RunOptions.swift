import ArgumentParser
import Benchmarking
import Platform
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options of all commands that measure, and the plan that they give.
struct RunOptions: ParsableArguments {
    @OptionGroup var choice: CellOptions

    @Option(
        help: "The folder whose disk is measured; a folder of this run is made in it and removed again. Default: runs/."
    )
    var dataDir: String?

    @Flag(help: "Measure even if the data folder is in memory, where a commit costs nothing.")
    var allowTmpfs = false

    @Option(help: "The folder for the reports; it must not hold a run already. Default: a new one in runs/.")
    var output: String?

    @Option(
        help:
            "Begin no new block after this time, for example 90s or 20m. Rows with too few pairs are then inconclusive."
    )
    var timeBudget: String?

    @Option(help: "What to call the source that is measured. Default: the commit checked out here.")
    var commit: String?

    @Flag(help: "Say nothing on standard error.")
    var quiet = false

    var filter: [String] { choice.filter }

    func validate() throws {
        if let timeBudget, Self.seconds(timeBudget) == nil {
            throw ValidationError("--time-budget takes a time such as 90s or 20m, of 30 days at most")
        }
    }

    /// Reads the documents, selects cells, checks the disk; nothing is written yet.
    ///
    /// - Parameters:
    ///   - arms: The arms to keep of each cell; all if empty.
    ///   - shard: The part of the run to measure.
    ///   - resumed: The folder of a run to continue.
    ///   - isSecondSession: Whether this command has measured before.
    func plan(
        beside builds: [String] = [], filter chosen: [String]? = nil, arms: [String] = [], shard: Shard = .whole,
        resumed: String? = nil, isSecondSession: Bool = false
    ) throws -> MeasurePlan {
        let memory = ProcessMemory()
        let scope = try choice.scope()
        let others = try builds.map { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, FileManager.default.isExecutableFile(atPath: String(parts[1])) else {
                throw ValidationError("--beside takes NAME=EXECUTABLE, the path of a program: \(text)")
            }
            return (name: String(parts[0]), executable: String(parts[1]))
        }
        guard Set(others.map(\.name)).count == others.count else {
            throw ValidationError("--beside names a build twice; use different names")
        }
        let data = (dataDir ?? "runs") + "/data-\(ProcessInfo.processInfo.processIdentifier)"
        let disk = DataDisk.below(data)
        if disk.isInMemory, !allowTmpfs {
            throw ExitStatus.refuse(
                "the data folder \(data) is in memory (\(disk.type)), where commits cost nothing; name a folder on a disk with --data-dir, or use --allow-tmpfs"
            )
        }
        let cells = try choice.cells(scope, filter: chosen ?? filter, arms: arms, beside: others.map(\.name))
        let costs = try choice.costTable()
        let plan: ShardPlan
        do throws(Fault) { plan = try ShardPlan(cells, costs: costs, shards: shard.count) } catch {
            throw ExitStatus.refuse(error.message)
        }
        return MeasurePlan(
            setting: RunSetting(
                scope: scope, executable: Self.executable, workerArguments: [BenchWorkerCommand.name], builds: others,
                dataFolder: data),
            plan: plan, shard: shard,
            folder: RunFolder(
                path: resumed ?? Self.folder(output, scope.profile.name, isSecondSession: isSecondSession)),
            isResumed: resumed != nil,
            timeBudget: timeBudget.flatMap(Self.seconds), costs: costs, commit: commit,
            reports: choice.costs, isQuiet: quiet, memory: memory)
    }

    /// The named folder, or a new one. The second session of a command gets a folder of its own next to the first.
    private static func folder(_ output: String?, _ profile: Profile.Name, isSecondSession: Bool) -> String {
        let first = output ?? "runs/" + UTCTime.compact() + "-" + profile.rawValue
        let mayBeRenamed = isSecondSession || output == nil
        return mayBeRenamed && FileManager.default.fileExists(atPath: first + "/run.json") ? first + "-second" : first
    }

    /// `90s`, `20m`, `2h` or plain seconds, up to the longest time budget.
    static func seconds(_ text: String) -> Double? {
        let factors: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        guard let last = text.last else { return nil }
        let number = factors[last] == nil ? text : String(text.dropLast())
        guard let value = Double(number).map({ $0 * (factors[last] ?? 1) }), value > 0, value <= Runner.longestBudget
        else {
            return nil
        }
        return value
    }

    static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first
            ?? "soup"
    }
}
