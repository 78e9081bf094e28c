import ArgumentParser
import Benchmarking
import Soups

/// `soup plan`: shows which cells a run would measure, how they are distributed over shards, and how long that takes.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plans a run: its cells, dealt out to shards, with the time that each is expected to take.",
        discussion: """
            Writes a manifest.csv: one row for each cell, with its shard and its pairs; the control and the cell of the null row are in every shard. The \
            longest cells are dealt out first, by what accepted reports say of their time; the same options and reports give the same plan everywhere, so \
            that 'soup bench --shard k/N' with these options measures shard k of it, and no file has to be passed on.

            Examples:
              soup plan --profile full --shards 4
              soup plan --filter retrieve --filter exact --shards 2 --output plan.csv

            \(ExitStatus.help(success: "planned", usage: "more shards than cells"))
            """)

    @OptionGroup var choice: CellOptions
    @OptionGroup var kept: ArmOptions

    @Option(help: "How many machines, or turns, the run is divided into.")
    var shards = 1

    @Option(help: "The file for the plan. Default: standard output.")
    var output: String?

    func run() throws {
        let cells = try choice.cells(try choice.scope(), filter: choice.filter, arms: kept.arms)
        let costs = try choice.costTable()
        do throws(Fault) {
            let plan = try ShardPlan(cells, costs: costs, shards: shards)
            let bytes = ManifestFile.write(Manifest(plan), run: "")
            if let output {
                try RunFolder.write(bytes, toFile: output)
            } else {
                print(String(decoding: bytes, as: UTF8.self), terminator: "")
            }
            for shard in Shard.all(of: plan.count) {
                StandardError.say(
                    "plan: shard \(shard): \(PlanTable.total(plan.entries.filter { $0.shard == shard }, costs))")
            }
        } catch {
            throw ExitStatus.refuse(error.message)
        }
    }
}
