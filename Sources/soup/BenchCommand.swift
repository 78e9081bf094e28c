import ArgumentParser
import Benchmarking
import Platform
import SoupBenchmarks
import Soups

/// `soup bench`: measures the same work on plain SQLite, and on SQLCipher without and with a key.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Compares plain SQLite with SQLCipher on generated or on your own documents.",
        discussion: """
            Arms take turns inside fresh worker processes; every ratio comes with an exact interval. A pair counts only if both arms gave the same \
            answer, and if the encrypted arm's files hold no plain text. That the cipher is slower is a finding and ends with 0.

            A run that was interrupted, ran out of time or was killed goes on with --resume FOLDER and otherwise the same options: finished blocks are kept. \
            The data that a killed one left is removed by the next run with the same --data-dir, which says so. \
            A run can be divided: --shard k/N measures the k-th part of what the same options give (see 'soup plan'), and 'soup merge' joins the parts.

            Examples:
              soup bench --profile full --time-budget 60m --output runs/full
              soup bench --profile full --resume runs/full
              soup bench --profile full --shard 2/4 --output runs/shard-2
              soup bench --filter match- --arms cipher-off cipher
              soup bench --filter upsert --beside old=../old/soup --beside old-again=../old-again/soup

            \(
                ExitStatus.help(
                    success: "measured",
                    failure: "a confirmed regression, of a row or by more than 5 % of the whole suite (with --beside)",
                    usage: "a document that is not valid", notValid: "the run is not valid",
                    incomparable: "the other build can do none of the work (with --beside)", interrupted: true))
            """)

    @OptionGroup var options: RunOptions
    @OptionGroup var kept: ArmOptions

    @Option(
        help: """
            Compare with another build of this program: NAME=EXECUTABLE. Its arms take turns with this build's. May be given several times; one named \
            NAME-again is the same source built once more, is compared with NAME only, and must not differ from it.
            """)
    var beside: [String] = []

    @Option(
        help: "Measure this part of the run only, k/N; the control and the null row are in every part.",
        transform: { text in
            guard let shard = Shard(text) else {
                throw ValidationError("--shard takes k/N, with k from 1 to N and N up to \(Shard.limit)")
            }
            return shard
        })
    var shard: Shard = .whole

    @Option(help: "Go on with the run in this folder; give the options that it was begun with.")
    var resume: String?

    @Flag(
        help:
            "List the cells that would run, with the number of pairs and the time they are expected to take, and stop.")
    var dryRun = false

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    func validate() throws {
        guard resume == nil || options.output == nil else {
            throw ValidationError("--resume and --output exclude each other")
        }
    }

    func run() throws {
        let plan = try options.plan(beside: beside, arms: kept.arms, shard: shard, resumed: resume)
        if dryRun {
            return print(PlanTable.make(plan.plan.entries.filter { $0.shard == shard }, plan.costs), terminator: "")
        }
        let outcome = try plan.measure()
        let width = OpenFile.standardOutput.terminalWidth
        let text = format.make(plan.cells, outcome, folder: plan.folder.path, catalogue: SoupCells(), width: width)
        print(text, terminator: "")
        writePage(outcome, in: plan.folder)
        if outcome.record.ending != .complete {
            StandardError.say("bench: \(outcome.record.ending.rawValue); go on with: \(continuation(of: plan.folder))")
        }
        if ![.text, .markdown].contains(format) {
            for line in DecidingRows.lines(outcome) {
                StandardError.say(line)
            }
        }
        let status = ExitStatus(outcome.conclusion)
        if status != .success {
            throw status.code
        }
    }

    /// The command that continues this run: the same without folder and limit of time.
    private func continuation(of folder: RunFolder) -> String {
        var words = [CommandLine.arguments.first ?? "soup"]
        var skipped = false
        for word in CommandLine.arguments.dropFirst() {
            if skipped {
                skipped = false
                continue
            }
            let name = word.split(separator: "=", maxSplits: 1).first.map { String($0) } ?? word
            if ["--output", "--time-budget", "--resume"].contains(name) {
                skipped = ByteKey(name) == ByteKey(word)
                continue
            }
            words.append(ShellWord.quoted(word))
        }
        return (words + ["--resume", ShellWord.quoted(folder.path)]).joined(separator: " ")
    }

    /// Writes report.html, with the accepted reports as its history, and says where. A run that cannot be shown as a
    /// page is complete without it.
    private func writePage(_ outcome: BenchmarkRun.Outcome, in folder: RunFolder) {
        do throws(Fault) {
            let history = try Baselines(folder: options.choice.costs).history()
            let report = RunReport(
                StoredReport(record: outcome.record, rows: outcome.rows), samples: outcome.samples, history: history,
                catalogue: SoupCells())
            try folder.write(Array(report.html.utf8), to: "report.html")
            StandardError.say("bench: the report as a page: \(folder.path)/report.html")
        } catch {
            StandardError.say("bench: report.html was not written: \(error.message)")
        }
    }
}
