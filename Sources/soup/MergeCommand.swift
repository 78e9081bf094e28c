import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

/// `soup merge`: makes one run of all its shards.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Joins the shards of a run into one run, after proving that none is missing.",
        discussion: """
            Every shard carries the plan of the whole run. They are joined only if together they are that plan, each once, and all of the same commit, seed, \
            profile, documents, libraries and kind of machine; control and null row are in each. The summary is that of an undivided run on the same \
            samples. A shard whose control or null row moved is not valid as a whole: it is named, and must be measured again.

            Example:
              soup bench --profile full --shard 1/2 --output runs/shard-1
              soup bench --profile full --shard 2/2 --output runs/shard-2
              soup merge runs/shard-1 runs/shard-2 --output runs/merged

            \(
                ExitStatus.help(
                    success: "joined",
                    failure: "a confirmed regression, of a row or of the whole suite (of shards measured with --beside)",
                    usage: "shards that are not all of one run", notValid: "a shard, or the joined run, is not valid",
                    incomparable: "the other build can do none of the work (of shards measured with --beside)"))
            """)

    @Argument(help: "The folders of all shards, in any order.") var folders: [String]

    @Option(help: "The folder for the joined run; it must not hold a run already.") var output: String

    @Option(
        help: "The file of documents that the shards were measured with, if they were measured with --documents.")
    var documents: String?

    @Option(help: "An index that the shards were measured with, as PATH:TYPE; may be given several times.")
    var index: [String] = []

    @Option(help: "The folder of accepted reports, which say how far equal builds differ.")
    var reports = "Reports"

    private var own: DocumentChoice { DocumentChoice(path: documents, index: index) }

    func validate() throws { try own.validate() }

    func run() throws {
        do {
            let shards = try ShardSet(folders: folders)
            guard shards.faults.isEmpty else {
                for fault in shards.faults {
                    StandardError.say("INVALID: \(fault)")
                }
                throw ExitStatus.notValid.code
            }
            let seed = try RunFolder(path: folders[0]).record().seed
            let merged = try MergedRun(
                shards, catalogue: SoupCells(), documents: try own.corpus(seed: seed),
                reports: reports, commandLine: ["soup"] + CommandLine.arguments.dropFirst())
            try merged.write(to: RunFolder(path: output))
            print(
                RunFormat.text.make(merged.cells, merged.outcome, folder: output, catalogue: SoupCells()),
                terminator: "")
            let status = ExitStatus(merged.outcome.conclusion)
            if status != .success {
                throw status.code
            }
        } catch let fault as Fault {
            throw ExitStatus.refuse(fault.description)
        }
    }
}
