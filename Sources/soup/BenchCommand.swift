import ArgumentParser
import Benchmarking
import Soups

/// `soup bench`: the same work on plain SQLite, on SQLCipher without a key and with one, side by side.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Compares plain SQLite with SQLCipher on generated or on your own documents.",
        discussion: """
            Arms take turns inside fresh worker processes; every ratio comes with an exact interval. A pair counts only if both arms gave the same \
            answer, and if the encrypted arm's files hold no plain text. That the cipher is slower is a finding and ends with 0.

            Exit codes: 0 measured; 1 a confirmed regression (with --beside); 2 wrong usage, or a broken document; 3 the run is not valid.
            """)

    @OptionGroup var options: RunOptions

    @Option(help: "Compare with another build of this program: NAME=EXECUTABLE. Its arms take turns with this build's.")
    var beside: [String] = []

    @Flag(help: "List the cells that would run, with the number of pairs, and stop.")
    var dryRun = false

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    func run() throws {
        let plan = try options.plan(beside: beside)
        if dryRun { return Self.list(plan.cells) }
        let outcome = try plan.measure()
        print(format.make(plan.cells, outcome, folder: plan.folder.path), terminator: "")
        if !outcome.record.faults.isEmpty { throw ExitCode(3) }
        if outcome.rows.contains(where: { $0.verdict == .slower && $0.baseArm.build != nil }) { throw ExitCode(1) }
        if outcome.record.ending == .interrupted { throw ExitCode(130) }
    }

    static func list(_ cells: [PlannedCell]) {
        var table = TextTable([("cell", .left), ("pairs", .right), ("arms", .left), ("what", .left)])
        for planned in cells {
            table.add([planned.cell.id, String(planned.blocks), planned.arms.map(\.name).joined(separator: " "), planned.cell.summary])
        }
        print(table.text, terminator: "")
    }
}
