import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// A run against a stored one, with planted changes.
struct RunComparisonTests {
    static func record(
        id: String = "run", fingerprint: String = "f", libraries: String = "l", version: String = "v",
        faults: [String] = [], cells: [(id: String, version: String)]? = nil,
        corpora: [Corpus] = [Corpus(name: "generated/entries=10", hash: "h")],
        details: JSONObject = JSONObject(), plans: [RunRecord.Plan] = [], shard: Shard = .whole
    ) -> RunRecord {
        RunRecord(
            id: id, startedUTC: "2026-01-01T00:00:00Z", commit: "c", profile: .quick, seed: 1, shard: shard,
            commandLine: ["soup"], fingerprint: fingerprint,
            libraries: libraries, cellVersions: cells ?? [("work/entries=10", version)],
            corpora: corpora, plans: plans,
            ending: .complete, seconds: 1, faults: faults, details: details)
    }

    static func row(_ metric: Metric, ratio: Double, base: Double = 100, halfWidth: Double = 0.01) -> SummaryRow {
        SummaryRow(
            cellID: "work/entries=10", workload: "work", parameters: "entries=10", metric: metric, baseArm: .plain,
            arm: .cipher, baseMedian: base,
            armMedian: base * ratio,
            estimate: RatioEstimate(
                ratio: ratio, interval: .init(low: ratio * (1 - halfWidth), high: ratio * (1 + halfWidth), level: 0.95),
                pairs: 20),
            margin: metric.margin(smallest: 1e9), verdict: .slower, version: "v")
    }

    static func report(_ ratio: Double, steps: Double = 1_000, record: RunRecord = record()) -> StoredReport {
        StoredReport(record: record, rows: [row(.wall, ratio: ratio), row(.vmSteps, ratio: 1, base: steps)])
    }

    private func outcome(
        _ new: StoredReport, confirmed: StoredReport? = nil, stored: StoredReport = report(1.5), strict: Bool = false
    ) -> CheckOutcome {
        let comparison = RunComparison(new: new, stored: stored)
        return CheckOutcome(
            comparison, confirmedBy: confirmed.map { RunComparison(new: $0, stored: stored) },
            faults: new.record.faults, isStrict: strict)
    }

    private static func text(_ comparison: RunComparison) -> String {
        ComparisonReport(comparison, new: record(), stored: record()).make(.text)
    }

    @Test func `unchanged figures are green`() {
        #expect(outcome(Self.report(1.5)) == .nothingSlower)
        #expect(outcome(Self.report(1.51)) == .nothingSlower)
        #expect(outcome(Self.report(1.2)) == .nothingSlower)
    }

    @Test func `a slower ratio is red only when confirmed`() {
        #expect(RunComparison(new: Self.report(1.9), stored: Self.report(1.5)).suspects == ["work/entries=10"])
        #expect(outcome(Self.report(1.9)) == .nothingSlower)
        #expect(outcome(Self.report(1.9), confirmed: Self.report(1.5)) == .nothingSlower)
        #expect(outcome(Self.report(1.9), confirmed: Self.report(1.88)) == .regression)
    }

    @Test func `counters gate by themselves and exactly`() {
        #expect(outcome(Self.report(1.5, steps: 1_001)) == .regression)
        #expect(outcome(Self.report(1.5, steps: 999)) == .nothingSlower)
        // Also on another machine, with the same libraries.
        #expect(outcome(Self.report(1.5, steps: 1_001, record: Self.record(fingerprint: "other"))) == .regression)
    }

    @Test func `another machine's ratios are informational`() {
        let other = Self.report(1.9, record: Self.record(fingerprint: "other"))
        #expect(outcome(other, confirmed: other) == .nothingSlower)
        let comparison = RunComparison(new: other, stored: Self.report(1.5))
        #expect(!comparison.isSameMachine && !comparison.rows.contains { $0.kind == .time })
        #expect(Self.text(comparison).contains("Informational (does not affect the result)"))
    }

    @Test func `what cannot be compared is named`() {
        for (record, reason) in [
            (Self.record(version: "w"), "the definition of the cell changed"),
            (Self.record(libraries: "m"), "the libraries differ (stored: l; now: m)"),
        ] {
            let new = Self.report(1.5, record: record)
            #expect(outcome(new) == .incomparable)
            let comparison = RunComparison(new: new, stored: Self.report(1.5))
            #expect(comparison.incomparable.map(\.reason) == [reason])
            #expect(Self.text(comparison).contains("incomparable: work/entries=10: \(reason)"))
            #expect(
                Self.text(comparison).contains("No row gates.") && Self.text(comparison).contains("soup report accept"))
        }
        let nothing = StoredReport(record: Self.record(), rows: [])
        #expect(Self.text(RunComparison(new: nothing, stored: nothing)).contains("The runs have no cell in common."))
    }

    /// The machine, or the whole program, is slower by half, and one cell by twice that.
    @Test func `times are shown relative to the median of all of them`() throws {
        func report(_ factor: Double, odd: Double) -> StoredReport {
            var rows: [SummaryRow] = []
            for cell in 0..<12 {
                var row = Self.row(.wall, ratio: 1.5, base: 100 * factor * (cell == 3 ? odd : 1))
                row.cellID = "cell-\(cell)"
                rows.append(row)
            }
            return StoredReport(record: PlantedReports.record("run"), rows: rows)
        }
        func text(_ new: StoredReport) -> String {
            let comparison = RunComparison(new: new, stored: report(1, odd: 1))
            return ComparisonReport(
                comparison, new: Self.record(), stored: Self.record(),
                outcome: CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: false)
            ).make(.text)
        }
        let slower = RunComparison(new: report(1.5, odd: 2), stored: report(1, odd: 1))
        #expect(slower.timeChange == 1.5)
        let changed = slower.rows.filter { $0.kind == .time && $0.verdict != .same }
        #expect(changed.map(\.cellID) == ["cell-3", "cell-3"] && changed.allSatisfy { $0.change?.ratio == 2 })
        #expect(text(report(1.5, odd: 2)).hasSuffix(" gating rows, times are 1.50 times the stored ones\n"))
        #expect(text(report(0.8, odd: 1)).hasSuffix(" gating rows, times are 0.80 times the stored ones\n"))
        #expect(
            text(report(1.08, odd: 1)).hasSuffix(" gating rows\n") && text(report(1.08, odd: 1)).contains("1.08 times"))
        // Of a few times the median would be the change itself.
        #expect(RunComparison(new: Self.report(1.5), stored: Self.report(1.5)).timeChange == nil)
    }

    /// Waiting for the disk hides a slower store in the elapsed time of a write, but not in its processor time.
    @Test func `the processor time of the store over the floor gates`() {
        func report(_ cpu: Double, _ base: Arm, _ arm: Arm) -> StoredReport {
            let rows = [Self.row(.wall, ratio: 1.1), Self.row(.cpu, ratio: cpu)].map { row in
                var row = row
                (row.baseArm, row.arm) = (base, arm)
                return row
            }
            return StoredReport(record: Self.record(), rows: rows)
        }
        for backend in ["plain", "cipher"] {
            let (base, arm) = (Arm(backend, "floor"), Arm(backend, "store"))
            let stored = report(1.2, base, arm)
            let slower = report(1.5, base, arm)
            #expect(outcome(slower, confirmed: slower, stored: stored) == .regression)
            #expect(outcome(stored, confirmed: stored, stored: stored) == .nothingSlower)
        }
        let stored = report(1.2, .plain, .cipher)
        #expect(
            outcome(report(1.5, .plain, .cipher), confirmed: report(1.5, .plain, .cipher), stored: stored)
                == .nothingSlower)
    }

    @Test func `another cipher library leaves the plain counters comparable`() {
        let then = "plain 3.40.1 a; cipher 3.46.1 4.6.1 b"
        let now = "plain 3.40.1 a; cipher 3.51.0 4.9.0 c"
        let comparison = RunComparison(
            new: Self.report(1.5, steps: 1_001, record: Self.record(libraries: now)),
            stored: Self.report(1.5, record: Self.record(libraries: then)))
        #expect(
            comparison.rows.map(\.key) == ["time work/entries=10 wall plain", "counter work/entries=10 vm_steps plain"])
        #expect(comparison.rows.last?.verdict == .slower && comparison.incomparable.count == 1)
        // Without any SQLCipher here the result is the same, and nothing counts as missing.
        let without = RunComparison(
            new: Self.report(1.5, record: Self.record(libraries: "plain 3.40.1 a")),
            stored: Self.report(1.5, record: Self.record(libraries: then)))
        #expect(
            without.faults.isEmpty && without.incomparable.count == 1 && without.rows.count { $0.kind == .counter } == 1
        )
    }

    @Test func `counters alone leave the clock out`() {
        let comparison = RunComparison(new: Self.report(1.9), stored: Self.report(1.5), kinds: [.counter])
        #expect(
            comparison.rows.count == 2 && comparison.rows.allSatisfy { $0.kind == .counter }
                && comparison.suspects.isEmpty)
        #expect(CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: true) == .nothingSlower)
    }

    @Test func `a counter that does not repeat is undecided`() {
        var new = Self.report(1.5)
        var unsteady = Self.row(.vmSteps, ratio: 1, base: 1_000)
        unsteady.estimate = RatioEstimate(ratio: 1, interval: nil, pairs: 2)
        new = StoredReport(record: new.record, rows: [Self.row(.wall, ratio: 1.5), unsteady])
        let comparison = RunComparison(new: new, stored: Self.report(1.5), kinds: [.counter])
        #expect(comparison.rows.allSatisfy { $0.gates && $0.verdict == .inconclusive })
        #expect(CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: true) == .inconclusive)
        // A counter that did not repeat when it was stored does not gate.
        #expect(
            RunComparison(new: Self.report(1.5, steps: 2_000), stored: new, kinds: [.counter]).rows.allSatisfy {
                !$0.gates
            })
    }

    @Test func `a row that is missing or measured under other settings makes the check invalid`() {
        let lacking = StoredReport(record: Self.record(), rows: [Self.row(.wall, ratio: 1.5)])
        #expect(outcome(lacking) == .invalidRun)
        func settings(_ pages: Int64) -> JSONObject {
            JSONObject([("arms", ["cipher": ["page_size": .number(JSONNumber(pages))]])])
        }
        let stored = Self.report(1.5, record: Self.record(details: settings(4_096)))
        let other = Self.report(1.5, record: Self.record(details: settings(8_192)))
        #expect(outcome(other, stored: stored) == .invalidRun)
        #expect(
            RunComparison(new: other, stored: stored).faults.contains {
                $0.contains("the settings of cipher differ from the stored report's")
            })
        #expect(outcome(stored, stored: stored) == .nothingSlower)
    }

    @Test func `a changed query plan is reported with the time`() {
        func report(_ plan: String) -> StoredReport {
            Self.report(1.5, record: Self.record(plans: [.init(cellID: "work/entries=10", arm: .cipher, text: plan)]))
        }
        let changed = RunComparison(new: report("SCAN TABLE_1"), stored: report("SEARCH TABLE_1 USING INDEX"))
        #expect(
            changed.rows.filter { $0.kind != .counter }.map(\.reason) == [
                "the query plan of cipher changed", "", "the query plan changed",
            ])
        #expect(RunComparison(new: report("SCAN a"), stored: report("SCAN a")).rows.allSatisfy { $0.reason.isEmpty })
    }

    @Test func `an invalid run says nothing`() {
        #expect(outcome(Self.report(1.5, record: Self.record(faults: ["the control row moved"]))) == .invalidRun)
    }

    @Test func `undecided rows are red only when strict`() {
        let wide = StoredReport(
            record: Self.record(),
            rows: [Self.row(.wall, ratio: 1.55, halfWidth: 0.2), Self.row(.vmSteps, ratio: 1, base: 1_000)])
        #expect(outcome(wide) == .nothingSlower)
        #expect(outcome(wide, strict: true) == .inconclusive)
    }

    @Test func `accepted reports are found again and replaced`() throws {
        let folder = try TemporaryFolder()
        let run = RunFolder(path: folder.file("run"))
        try run.begin()
        try run.finish(
            Self.record(), rows: Self.report(1.5).rows, samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        let baselines = Baselines(folder: folder.file("Reports"))
        #expect(try baselines.best(for: Self.record()) == nil)
        let entry = try baselines.accept(run)
        #expect(try baselines.entries() == [entry])
        try baselines.accept(run)
        #expect(try baselines.entries().count == 1)
        #expect(try StoredReport(folder: baselines.path(of: entry)).rows == Self.report(1.5).rows)
        #expect(try baselines.best(for: Self.record(fingerprint: "other"))?.runID == "run")
        // Of two other machines the one with the same libraries fits better.
        let newer = RunFolder(path: folder.file("newer"))
        try newer.begin()
        try newer.finish(
            Self.record(fingerprint: "g", libraries: "m"), rows: [], samples: [],
            claims: ClaimsOutcome([], rows: [], samples: []))
        try baselines.accept(newer)
        #expect(try baselines.best(for: Self.record(fingerprint: "other"))?.fingerprint == "f")
        #expect(try baselines.best(for: Self.record(fingerprint: "other", libraries: "m"))?.fingerprint == "g")
        #expect(try baselines.best(for: Self.record(fingerprint: "other", libraries: "n"))?.fingerprint == "g")
        #expect(throws: Fault.self) { try run.begin() }
        try run.finish(
            Self.record(faults: ["x"]), rows: [], samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        #expect(throws: Fault.self) { try baselines.accept(run) }
    }

    @Test func `the record comes back from its file`() throws {
        let record = Self.record(faults: ["one"])
        let read = try RunRecord(json: record.json.bytes(.pretty))
        #expect(
            read.id == record.id && read.fingerprint == "f" && read.faults == ["one"]
                && read.cellVersions.map(\.version) == ["v"])
        #expect(read.suite.isEmpty)
        let suite = [
            SuiteVerdict(
                what: "wall against old", rows: 30,
                estimate: RatioEstimate(ratio: 1.0625, interval: .init(low: 1.055, high: 1.07, level: 0.95), pairs: 20)),
            SuiteVerdict(
                what: "cpu against old", rows: 4, estimate: RatioEstimate(ratio: 1.5, interval: nil, pairs: 5)),
        ]
        let judged = RunRecord(
            id: "run", startedUTC: "", commit: "c", profile: .full, seed: 1, commandLine: [], fingerprint: "f",
            libraries: "l", cellVersions: [], corpora: [],
            ending: .complete, seconds: 1, suite: suite, faults: [], details: JSONObject())
        #expect(
            try RunRecord(json: judged.json.bytes(.pretty)).suite == suite
                && suite.map(\.isRegression) == [true, false])
        #expect(throws: Fault.self) { try RunRecord(json: Array("{}".utf8)) }
        #expect(throws: Fault.self) { try RunRecord(json: Array("{".utf8)) }
    }
}

struct RunReportTests {
    @Test func `markdown and page hold every ratio verdict and no script`() {
        var invalid = RunComparisonTests.row(.wall, ratio: 2)
        invalid.verdict = .invalid
        invalid.reason = "plain & cipher answer <differently>"
        invalid.cellID = "other"
        let report = RunReport(
            StoredReport(
                record: RunComparisonTests.record(), rows: [RunComparisonTests.row(.wall, ratio: 1.57), invalid]),
            history: [], catalogue: SoupCells())
        #expect(report.markdown.contains("| work/entries=10 | 100 ns | 157 ns | 1.57 [1.55, 1.59] | \u{25B2} slower |"))
        #expect(report.html.contains("1.57 [1.55, 1.59]  \u{25B2} slower") && report.html.contains("\u{2715} invalid"))
        #expect(!report.html.contains("<script") && !report.html.contains("http"))
        #expect(report.html.contains("prefers-color-scheme:dark"))
    }

    @Test func `the page shows back ends openly and folds ways of working`() {
        var ways = RunComparisonTests.row(.wall, ratio: 2)
        (ways.baseArm, ways.arm) = (Arm("plain", "json1"), Arm("plain", "string"))
        let both = RunReport(
            StoredReport(
                record: RunComparisonTests.record(), rows: [RunComparisonTests.row(.wall, ratio: 1.57), ways]),
            history: [], catalogue: SoupCells()
        ).html
        for section in ["back-ends", "ways", "history"] {
            #expect(both.contains("<a href=\"#\(section)\">") && both.contains("<section id=\"\(section)\">"))
        }
        #expect(
            both.contains("<h3>cipher / plain</h3>")
                && both.contains("<details><summary>plain/string / plain/json1 (1 ratio)</summary>"))
        let alone = RunReport(
            StoredReport(record: RunComparisonTests.record(), rows: [ways]), history: [], catalogue: SoupCells()
        ).html
        #expect(
            !alone.contains("#back-ends")
                && alone.contains("<details open><summary>plain/string / plain/json1 (1 ratio)</summary>"))
    }

    @Test func `the page draws the history of a ratio and names its steps`() {
        func page(_ ratios: [Double]) -> String {
            let reports = ratios.enumerated().map { index, ratio in
                StoredReport(
                    record: RunComparisonTests.record(id: "run \(index)"),
                    rows: [RunComparisonTests.row(.wall, ratio: ratio)])
            }
            return RunReport(reports[reports.count - 1], history: reports.dropLast(), catalogue: SoupCells()).html
        }
        let stepped = page([1.5, 1.51, 1.5, 1.49, 1.8, 1.81, 1.79, 1.8])
        #expect(stepped.contains("work/entries=10, cipher / plain</text>") && stepped.contains("1.50 | 1.80  a step"))
        #expect(stepped.contains("<details><summary>cipher / plain (1 ratio)</summary>"))
        #expect(page([1.5, 1.51, 1.5, 1.49, 1.5, 1.51]).contains("No ratio stepped to another level."))
        #expect(page([1.5]).contains("No earlier accepted report"))
        // Two pairs of a report that only counted do not make a ratio.
        var thin = RunComparisonTests.row(.wall, ratio: 3)
        thin.estimate = RatioEstimate(ratio: 3, interval: nil, pairs: 2)
        let counted = StoredReport(record: RunComparisonTests.record(id: "counted"), rows: [thin])
        let new = StoredReport(record: RunComparisonTests.record(), rows: [RunComparisonTests.row(.wall, ratio: 1.5)])
        #expect(RunReport(new, history: [counted], catalogue: SoupCells()).html.contains("No earlier accepted report"))
    }

    @Test func `work that waits is named next to the ratios of the page`() {
        let rows = [RunComparisonTests.row(.wall, ratio: 1.5), RunComparisonTests.row(.cpu, ratio: 1.5, base: 10)]
        let page = RunReport(
            StoredReport(record: RunComparisonTests.record(), rows: rows), history: [], catalogue: SoupCells()
        ).html
        #expect(page.contains("Cells that waited") && !page.contains("Differences to another build"))
    }

    @Test(arguments: [
        (0.4, "0.40 ns"), (12_345, "12.3 us"), (1_040_000, "1.04 ms"), (2.5e9, "2.50 s"),
    ])
    func `times are written in units that fit`(nanoseconds: Double, text: String) {
        #expect(Figures.time(nanoseconds) == text)
    }

    @Test func `tables align`() {
        var table = TextTable([("name", .left), ("n", .right)])
        table.add(["a", "10"])
        table.add(["long", "5"])
        #expect(table.text == "name   n\n----  --\na     10\nlong   5\n")
        #expect(table.markdown == "| name | n |\n| --- | ---: |\n| a | 10 |\n| long | 5 |\n")
    }
}
