import ArgumentParser
import Conformance

/// `soup conform`: runs conformance vectors, compares runs, and says what the vectors do not cover.
struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Runs conformance vectors on back ends and says which cases pass.",
        discussion: """
            Without the name of a subcommand, 'run' is meant; see 'soup conform run --help' for its options.

            Examples:
              soup conform Corpora
              soup conform --level core --driver 'python3 my_driver.py' Corpora
              soup conform compare plain/conformance.csv mine/conformance.csv

            \(ExitStatus.help(success: "nothing is red", failure: "something is red", usage: "broken vector files", interrupted: true))
            """,
        subcommands: [ConformRunCommand.self, ConformCompareCommand.self, ConformCoverageCommand.self],
        defaultSubcommand: ConformRunCommand.self)
}
