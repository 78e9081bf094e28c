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
            counters need no second look. Without a second session (--run alone, without --confirm) no ratio is red. With --counters-only times \
            are left out, and a counter that does not repeat is undecided, which ends with 4. The suite as a whole is red if the geometric \
            mean of all ratios is worse by more than 5 %, in both sessions.

            The last line says how many of the rows that could turn the check red were compared: "compared 380 of 380 gating rows". If one of \
            them could not be compared, because the libraries, the documents or the definition of its cell differ, or because it was not \
            measured, the check ends with 5, unless what was compared shows a regression. --filter and --sizes say which cells of the stored \
            report are asked for. Counts of instructions depend on the compiler and the processor too: --instructions-optional leaves them out where these \
            differ, and the last line counts them. Files that contradict themselves are a usage error.

            Examples:
              soup check
              soup check --filter upsert --format markdown
              soup check --counters-only
              soup check --run runs/a --confirm runs/b

            \(
                ExitStatus.help(
                    success: "nothing is slower", failure: "a confirmed regression", notValid: "the run is not valid",
                    undecided: "undecided, with --strict or --counters-only",
                    incomparable: "not every gating row could be compared", interrupted: true))
            """)

    @OptionGroup var options: RunOptions

    @Option(name: .customLong("run"), help: "The folder of a run to check, instead of measuring now.")
    var finished: String?

    @Option(help: "A second run's folder that confirms or clears what the first shows.")
    var confirm: String?

    @Option(help: "The run to compare with. Default: the accepted report in --reports.")
    var against: String?

    @Option(help: "The folder of accepted reports.")
    var reports = "Reports"

    @Flag(
        help:
            "Gate on exact counters only, and measure just enough for them: for machines whose clock cannot be trusted."
    )
    var countersOnly = false

    @Flag(
        help: """
            Leave counts of instructions out where compiler, C library or processor differ from those of the stored \
            report. The last line says how many were left out.
            """)
    var instructionsOptional = false

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    @Flag(help: "End with 4 if something could not be decided.")
    var strict = false

    func run() throws {
        do {
            let status = ExitStatus(try check())
            if status != .success {
                throw status.code
            }
        } catch let fault as Fault {
            throw ExitStatus.refuse(fault.description)
        }
    }

    private func check() throws -> CheckOutcome {
        // Before minutes of measuring.
        let named = try against.map { folder throws(Fault) in try StoredReport(folder: folder) }
        let confirming = try confirm.map { folder throws(Fault) in try StoredReport(folder: folder) }
        let new =
            try finished.map { folder throws(Fault) in try StoredReport(folder: folder) } ?? measure(options.filter)
        guard let stored = try named ?? accepted(for: new.record) else {
            StandardError.say(
                "check: no accepted report for profile \(new.record.profile.rawValue) in \(reports); accept one with: soup report accept RUN"
            )
            StandardError.say("check: \(CheckOutcome.incomparable), \(Coverage())")
            return .incomparable
        }
        let kinds: Set<RunComparison.Row.Kind> = countersOnly ? [.counter] : Set(RunComparison.Row.Kind.allCases)
        let history = RowHistory(try Baselines(folder: reports).history() + [stored], like: new.record)
        let asked = AskedCells(
            filter: options.filter, sizes: options.choice.sizes,
            measured: finished == nil ? new.record.cellVersions.map(\.id) : [])
        let first = CheckSession(
            new, stored: stored, kinds: kinds, history: history, asked: asked,
            instructionsAreOptional: instructionsOptional)
        let second = try secondSession(after: first, confirming) {
            CheckSession($0, stored: stored, kinds: kinds, history: history)
        }
        let faults = first.faults + (second?.faults ?? [])
        let outcome = CheckOutcome(
            first.comparison, confirmedBy: second?.comparison, faults: faults, isStrict: strict || countersOnly,
            wantsAll: strict,
            wantsWhole: strict && (options.filter.isEmpty || new.record.ending == .outOfTime))
        let report = ComparisonReport(
            first.comparison, confirmedBy: second?.comparison, new: new.record, stored: stored.record, outcome: outcome,
            faults: faults)
        print(report.make(format), terminator: "")
        if ![.text, .markdown].contains(format) {
            for line in DecidingRows.lines(report) {
                StandardError.say(line)
            }
            StandardError.say("check: \(outcome), \(first.comparison.coverage)")
        }
        if outcome == .incomparable {
            StandardError.say(
                "check: the accepted report needs: \(stored.record.libraries); found here: \(new.record.libraries)")
        }
        return outcome
    }

    /// The session that confirms or clears the first one: the named run, or one measured now if there is something to
    /// confirm.
    private func secondSession(
        after first: CheckSession, _ confirming: StoredReport?, _ compare: (StoredReport) -> CheckSession
    ) throws -> CheckSession? {
        if let confirming {
            let second = compare(confirming)
            if let obstacle = second.obstacle(toConfirming: first) {
                throw ExitStatus.refuse(obstacle)
            }
            return second
        }
        guard finished == nil, !countersOnly, first.faults.isEmpty else { return nil }
        if first.comparison.suite?.isRegression == true {
            StandardError.say("check: the suite as a whole looks slower: measuring all of it again, in fresh processes")
            Recess.take(Recess.seconds(after: first.run.record.seconds))
            return compare(try measure(options.filter, isSecondSession: true))
        }
        guard !first.comparison.suspects.isEmpty else { return nil }
        StandardError.say(
            "check: measuring again, in fresh processes: \(first.comparison.suspects.joined(separator: ", "))")
        Recess.take(Recess.seconds(after: first.run.record.seconds))
        return compare(try measure(first.comparison.suspects, isSecondSession: true))
    }

    private func accepted(for record: RunRecord) throws(Fault) -> StoredReport? {
        let baselines = Baselines(folder: reports)
        return try baselines.best(for: record).map { entry throws(Fault) in
            try StoredReport(folder: baselines.path(of: entry))
        }
    }

    private func measure(_ filter: [String], isSecondSession: Bool = false) throws -> StoredReport {
        var plan = try options.plan(filter: filter, isSecondSession: isSecondSession)
        if countersOnly {
            plan = plan.with(blocks: 2)
        }
        let outcome = try plan.measure()
        for one in outcome.unsupported {
            StandardError.say("check: \(one.arm) was left out: \(one.reason)")
        }
        if outcome.record.ending == .interrupted {
            StandardError.say("check: interrupted; nothing is decided")
            throw ExitStatus.interrupted.code
        }
        return StoredReport(record: outcome.record, rows: outcome.rows)
    }
}
