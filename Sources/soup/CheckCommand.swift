import ArgumentParser
import Benchmarking
import Soups

/// `soup check`: is anything slower than the accepted report says?
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compares a run with the accepted report of this kind of machine.",
        discussion: """
            Without --run it measures first; cells that look slower are measured again in fresh processes, and are red only if both say so. Exact \
            counters need no second look. Without a second session (--run alone, without --confirm) no ratio is red. With --counters-only the clock \
            is left out of it, and a counter that does not repeat is undecided, which ends with 4. The suite as a whole is red where the geometric \
            mean of all ratios is worse by more than 5 %, in both sessions.

            Exit codes: 0 nothing slower; 1 a confirmed regression; 2 wrong usage; 3 the run is not valid; 4 undecided, with --strict only; \
            5 nothing stored that can be compared.
            """)

    @OptionGroup var options: RunOptions

    @Option(name: .customLong("run"), help: "A run's folder to check, in place of measuring now.")
    var finished: String?

    @Option(help: "A second run's folder that confirms or clears what the first shows.")
    var confirm: String?

    @Option(help: "The run to compare with. Default: the accepted report in --reports.")
    var against: String?

    @Option(help: "The folder of accepted reports.")
    var reports = "Reports"

    @Flag(help: "Gate on exact counters only, and measure just enough for them: for machines whose clock cannot be trusted.")
    var countersOnly = false

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    @Flag(help: "End with 4 where something could not be decided.")
    var strict = false

    func validate() throws {
        guard options.choice.arms.isEmpty else { throw ValidationError("a check needs every arm of the stored report: --arms is for soup bench") }
    }

    func run() throws {
        do {
            let outcome = try check()
            if outcome != .nothingSlower { throw ExitCode(outcome.rawValue) }
        } catch let fault as Fault {
            throw Refusal.say(fault.description)
        }
    }

    private func check() throws -> CheckOutcome {
        let new = try finished.map { folder throws(Fault) in try StoredReport(folder: folder) } ?? measure(options.filter)
        guard let stored = try stored(for: new.record) else {
            StandardError.say("check: no accepted report for profile \(new.record.profile.rawValue) in \(reports); accept one with: soup report accept RUN")
            return .incomparable
        }
        let kinds: Set<RunComparison.Row.Kind> = countersOnly ? [.counter] : Set(RunComparison.Row.Kind.allCases)
        let history = RowHistory(try Baselines(folder: reports).history() + [stored], like: new.record)
        let comparison = RunComparison(new: new, stored: stored, kinds: kinds, history: history)
        var second: RunComparison?
        if let confirm {
            second = RunComparison(new: try StoredReport(folder: confirm), stored: stored, kinds: kinds, history: history)
        } else if finished == nil, !countersOnly, comparison.suite?.isRegression == true {
            StandardError.say("check: the suite as a whole looks slower: measuring all of it again, in fresh processes")
            second = RunComparison(new: try measure(options.filter), stored: stored, history: history)
        } else if finished == nil, !countersOnly, !comparison.suspects.isEmpty {
            StandardError.say("check: measuring again, in fresh processes: \(comparison.suspects.joined(separator: ", "))")
            second = RunComparison(new: try measure(comparison.suspects), stored: stored, history: history)
        }
        let outcome = CheckOutcome(comparison, confirmedBy: second, faults: new.record.faults, isStrict: strict || countersOnly, wantsAll: strict)
        print(ComparisonReport(comparison, confirmedBy: second, new: new.record, stored: stored.record, outcome: outcome).make(format), terminator: "")
        return outcome
    }

    private func stored(for record: RunRecord) throws(Fault) -> StoredReport? {
        if let against { return try StoredReport(folder: against) }
        let baselines = Baselines(folder: reports)
        return try baselines.best(for: record).map { entry throws(Fault) in try StoredReport(folder: baselines.path(of: entry)) }
    }

    private func measure(_ filter: [String]) throws -> StoredReport {
        var plan = try options.plan(filter: filter)
        if countersOnly { plan = plan.with(blocks: 2) }
        let outcome = try plan.measure()
        return StoredReport(record: outcome.record, rows: outcome.rows)
    }
}
