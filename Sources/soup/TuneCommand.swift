import ArgumentParser
import Benchmarking
import SoupBenchmarks

/// `soup tune`: which settings of a store suit the documents of a user.
struct TuneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tune",
        abstract: "Measures your own documents over the settings of a store, and says which are worth it.",
        discussion: """
            Page sizes, the hash that authenticates encrypted pages, cache sizes and index types are each compared with the defaults, on plain and on \
            encrypted stores: reads with an empty cache, reads again, and inserting all documents. Ratios come with exact intervals; a setting is \
            worth it if it is faster in some of this work by more than the margin and slower in none. Page size and hash belong to the format of a \
            file: every program that opens it must know them. What is faster here need not be so on a phone: measure on the machine that matters.

            It is a run of 'soup bench' with the cells whose names begin with 'settings-', and leaves the same reports.

            Examples:
              soup tune --documents orders.jsonl --index customer:string --index note:full_text
              soup tune --documents orders.jsonl --index customer:string --filter page=8192 --pairs 20

            \(ExitStatus.help(success: "measured", usage: "a document that is not valid", notValid: "the run is not valid", interrupted: true))
            """)

    @OptionGroup var options: RunOptions

    func validate() throws {
        guard options.choice.documents.documents != nil else {
            throw ValidationError(
                "--documents is missing: name a file of documents, and --index PATH:TYPE")
        }
    }

    func run() throws {
        let chosen =
            options.filter.isEmpty ? ["^settings-"] : options.filter.map { "^(?=settings-)(?=.*(?:\($0))|(?:\($0)))" }
        let outcome = try options.plan(filter: chosen).measure()
        print(SettingsAdvice(outcome.rows).text, terminator: "")
        let status = ExitStatus(outcome.conclusion)
        if status != .success {
            throw status.code
        }
    }
}
