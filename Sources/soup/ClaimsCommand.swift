import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

/// `soup claims`: which claims hold, over one run or several.
struct ClaimsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claims",
        abstract:
            "Says which performance claims hold on which back end, and how times grow, over the runs in some folders.",
        discussion: """
            Runs of one machine are joined, so that sizes can be measured at different times; of a cell that several runs measured the last one counts. \
            Runs that are not valid count for nothing. ci/claims measures all of it.

            Examples:
              soup claims runs/full
              soup claims runs/claims/* --output runs/claims

            \(ExitStatus.help(success: "success", notValid: "one of the runs is not valid"))
            """)

    @Argument(help: "The runs' folders.") var folders: [String]

    @Option(help: "A folder for claims.csv and growth.csv, which must exist.") var output: String?

    func run() throws {
        let outcome: ClaimsOutcome
        do throws(Fault) {
            outcome = try ClaimsOutcome(folders: folders, catalogue: SoupCells())
            print(outcome.text, terminator: "")
            if let output {
                try RunFolder(path: output).write(outcome, run: "joined")
            }
        } catch {
            throw ExitStatus.refuse(error.description)
        }
        if !outcome.faults.isEmpty {
            throw ExitStatus.notValid.code
        }
    }
}
