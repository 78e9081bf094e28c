import ArgumentParser
import Benchmarking
import Soups

/// `soup compare`: what changed between two runs.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compares two runs: counters, ratios, and on the same kind of machine times.",
        discussion: "Exit codes: 0 compared, whatever came out; 2 wrong usage; 5 nothing of the two can be compared.")

    @Argument(help: "The folder of the older run.") var stored: String
    @Argument(help: "The folder of the newer run.") var new: String

    func run() throws {
        do {
            let comparison = RunComparison(new: try StoredReport(folder: new), stored: try StoredReport(folder: stored))
            print(ComparisonText.make(comparison, confirmedBy: nil), terminator: "")
            if comparison.rows.isEmpty { throw ExitCode(CheckOutcome.incomparable.rawValue) }
        } catch let fault as Fault {
            throw Refusal.say(fault.description)
        }
    }
}
