import ArgumentParser
import Benchmarking
import Soups

/// `soup compare`: what changed between two runs.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compares two runs: counters, ratios, and on the same kind of machine times.",
        discussion: """
            Examples:
              soup compare runs/old runs/new
              soup compare runs/old runs/new --format markdown

            \(
                ExitStatus.help(
                    success: "compared, whatever the result is", incomparable: "the two have nothing to compare"))
            """)

    @Argument(help: "The folder of the older run.") var stored: String
    @Argument(help: "The folder of the newer run.") var new: String

    @Option(help: "The folder of accepted reports, which say how far ratios move between runs.")
    var reports = "Reports"

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    func run() throws {
        do {
            let stored = try StoredReport(folder: stored)
            let new = try StoredReport(folder: new)
            let history = RowHistory(try Baselines(folder: reports).history() + [stored], like: new.record)
            let comparison = RunComparison(new: new, stored: stored, history: history)
            print(ComparisonReport(comparison, new: new.record, stored: stored.record).make(format), terminator: "")
            if comparison.rows.isEmpty {
                throw ExitStatus.incomparable.code
            }
        } catch let fault as Fault {
            throw ExitStatus.refuse(fault.description)
        }
    }
}
