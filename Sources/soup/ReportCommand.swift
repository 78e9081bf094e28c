import ArgumentParser
import Benchmarking
import JSONText
import SoupBenchmarks
import Soups

/// `soup report`: shows a run as Markdown or HTML, and accepts one as the baseline of later runs.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a run's report, or accepts it as the baseline.",
        discussion: """
            Examples:
              soup report write runs/full
              soup report accept runs/full
              soup report accept-builds runs/unchanged
              soup report columns
            """,
        subcommands: [Write.self, Accept.self, AcceptBuilds.self, Columns.self])

    struct Write: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "write",
            abstract: "Writes report.md and report.html into a run's folder. The page needs no script and no network.",
            discussion: """
                Examples:
                  soup report write runs/full
                  soup report write runs/full --reports ../main/Reports

                \(ExitStatus.help(success: "written", usage: "a folder without a run"))
                """)

        @Argument(help: "The run's folder.") var folder: String
        @Option(help: "The folder of accepted reports, for the history.") var reports = "Reports"

        func run() throws {
            do throws(Fault) {
                let files = RunFolder(path: folder)
                let report = RunReport(
                    try StoredReport(folder: folder), samples: try files.samplesIfKept(),
                    history: try Baselines(folder: reports).history(),
                    catalogue: SoupCells())
                try files.write(Array(report.markdown.utf8), to: "report.md")
                try files.write(Array(report.html.utf8), to: "report.html")
                print("\(folder)/report.md\n\(folder)/report.html")
            } catch {
                throw ExitStatus.refuse(error.description)
            }
        }
    }

    struct Columns: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "columns",
            abstract:
                "Prints what every column of every report file means, as table schemas in JSON (specs.frictionlessdata.io/table-schema).",
            discussion: """
                Example:
                  soup report columns > columns.json
                """)

        func run() { print(String(decoding: ReportSchema.json.bytes(.pretty), as: UTF8.self)) }
    }

    struct AcceptBuilds: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept-builds",
            abstract:
                "Accepts what a run says of one source built twice (NAME and NAME-again of --beside): adds its rows to REPORTS/builds.csv.",
            discussion: """
                From four such runs of a kind of machine on, each with builds of its own, the margin of a row of 'soup bench --beside' \
                is at least as wide as 1.25 standard deviations of what the row showed between equal builds.

                Example:
                  soup report accept-builds runs/unchanged

                \(ExitStatus.help(success: "accepted", usage: "a run that cannot be accepted"))
                """)

        @Argument(help: "The run's folder.") var folder: String
        @Option(help: "The folder of accepted reports.") var reports = "Reports"

        func run() throws {
            do throws(Fault) {
                let count = try BuildOffsets.accept(RunFolder(path: folder), into: reports)
                print("accepted: \(count) rows of equal builds, in \(reports)/builds.csv")
            } catch {
                throw ExitStatus.refuse(error.description)
            }
        }
    }

    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract:
                "Accepts a run: copies its summary.csv, run.json and manifest.csv to REPORTS/<fingerprint>/ and names it in baselines.csv.",
            discussion: """
                Prints the rows that are worse in the new baseline. Commit the change on its own, with the run named in the message.

                Examples:
                  soup report accept runs/full
                  soup report accept runs/full --reports ../main/Reports

                \(ExitStatus.help(success: "accepted", usage: "a run that cannot be accepted"))
                """)

        @Argument(help: "The run's folder.") var folder: String
        @Option(help: "The folder of accepted reports.") var reports = "Reports"
        @Flag(help: "Accept a run that lacks cells of the report which it replaces. Later checks do not look at them.")
        var fewerCells = false

        func run() throws {
            do throws(Fault) {
                let baselines = Baselines(folder: reports)
                let new = try StoredReport(folder: folder)
                let history = RowHistory(try baselines.history(), like: new.record)
                if let before = try baselines.best(for: new.record), before.fingerprint == new.record.fingerprint {
                    let comparison = RunComparison(
                        new: new, stored: try StoredReport(folder: baselines.path(of: before)), history: history)
                    for row in comparison.rows where row.gates && row.verdict == .slower {
                        print("forgiven: \(row.key): \(row.change.map { Figures.ratio($0) } ?? "")")
                    }
                }
                let entry = try baselines.accept(RunFolder(path: folder), fewerCells: fewerCells)
                print("accepted: \(baselines.path(of: entry))")
            } catch {
                throw ExitStatus.refuse(error.description)
            }
        }
    }
}
