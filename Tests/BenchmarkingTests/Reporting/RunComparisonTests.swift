import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// A run against a stored one, with planted changes.
struct RunComparisonTests {
    static func record(fingerprint: String = "f", libraries: String = "l", version: String = "v", faults: [String] = []) -> RunRecord {
        RunRecord(
            id: "run", startedUTC: "2026-01-01T00:00:00Z", commit: "c", profile: .quick, seed: 1, commandLine: ["soup"], fingerprint: fingerprint,
            libraries: libraries, cellVersions: [("work/entries=10", version)], corpora: [("generated/entries=10", "h")], ending: .complete, seconds: 1,
            faults: faults, details: JSONObject())
    }

    static func row(_ metric: Metric, ratio: Double, base: Double = 100, halfWidth: Double = 0.01) -> SummaryRow {
        SummaryRow(
            cellID: "work/entries=10", workload: "work", parameters: "entries=10", metric: metric, baseArm: .plain, arm: .cipher, baseMedian: base,
            armMedian: base * ratio,
            estimate: RatioEstimate(ratio: ratio, interval: .init(low: ratio * (1 - halfWidth), high: ratio * (1 + halfWidth), level: 0.95), pairs: 20),
            margin: metric.margin(smallest: 1e9), verdict: .slower, version: "v")
    }

    static func report(_ ratio: Double, steps: Double = 1_000, record: RunRecord = record()) -> StoredReport {
        StoredReport(record: record, rows: [row(.wall, ratio: ratio), row(.vmSteps, ratio: 1, base: steps)])
    }

    private func outcome(_ new: StoredReport, confirmed: StoredReport? = nil, stored: StoredReport = report(1.5), strict: Bool = false) -> CheckOutcome {
        let comparison = RunComparison(new: new, stored: stored)
        return CheckOutcome(
            comparison, confirmedBy: confirmed.map { RunComparison(new: $0, stored: stored) }, faults: new.record.faults, isStrict: strict)
    }

    @Test func unchangedFiguresAreGreen() {
        #expect(outcome(Self.report(1.5)) == .nothingSlower)
        #expect(outcome(Self.report(1.51)) == .nothingSlower)
        #expect(outcome(Self.report(1.2)) == .nothingSlower)
    }

    @Test func aSlowerRatioIsRedOnlyWhenConfirmed() {
        #expect(RunComparison(new: Self.report(1.9), stored: Self.report(1.5)).suspects == ["work/entries=10"])
        #expect(outcome(Self.report(1.9)) == .nothingSlower)
        #expect(outcome(Self.report(1.9), confirmed: Self.report(1.5)) == .nothingSlower)
        #expect(outcome(Self.report(1.9), confirmed: Self.report(1.88)) == .regression)
    }

    @Test func countersGateByThemselvesAndExactly() {
        #expect(outcome(Self.report(1.5, steps: 1_001)) == .regression)
        #expect(outcome(Self.report(1.5, steps: 999)) == .nothingSlower)
        // Also on another machine, with the same libraries.
        #expect(outcome(Self.report(1.5, steps: 1_001, record: Self.record(fingerprint: "other"))) == .regression)
    }

    @Test func anotherMachinesRatiosAreToldAndDoNotGate() {
        let other = Self.report(1.9, record: Self.record(fingerprint: "other"))
        #expect(outcome(other, confirmed: other) == .nothingSlower)
        let comparison = RunComparison(new: other, stored: Self.report(1.5))
        #expect(!comparison.isSameMachine && !comparison.rows.contains { $0.kind == .time })
        #expect(ComparisonText.make(comparison, confirmedBy: nil).contains("Told, not gating"))
    }

    @Test func whatCannotBeComparedIsNamed() {
        for (record, reason) in [
            (Self.record(version: "w"), "the cell's definition changed (v, now w)"), (Self.record(libraries: "m"), "the libraries differ (stored: l; now: m)"),
        ] {
            let new = Self.report(1.5, record: record)
            #expect(outcome(new) == .incomparable)
            let comparison = RunComparison(new: new, stored: Self.report(1.5))
            #expect(comparison.incomparable.map(\.reason) == [reason])
            #expect(ComparisonText.make(comparison, confirmedBy: nil).contains("incomparable: work/entries=10: \(reason)"))
        }
    }

    @Test func anInvalidRunSaysNothing() {
        #expect(outcome(Self.report(1.5, record: Self.record(faults: ["the control row moved"]))) == .invalidRun)
    }

    @Test func undecidedRowsAreRedOnlyWhenStrict() {
        let wide = StoredReport(record: Self.record(), rows: [Self.row(.wall, ratio: 1.55, halfWidth: 0.2)])
        #expect(outcome(wide) == .nothingSlower)
        #expect(outcome(wide, strict: true) == .inconclusive)
    }

    @Test func exitCodesAreTheDocumentedOnes() {
        #expect(CheckOutcome.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }

    @Test func acceptedReportsAreFoundAgainAndReplaced() throws {
        let folder = try TemporaryFolder()
        let run = RunFolder(path: folder.file("run"))
        try run.begin()
        try run.finish(Self.record(), rows: Self.report(1.5).rows, samples: [])
        let baselines = Baselines(folder: folder.file("Reports"))
        #expect(try baselines.best(for: Self.record()) == nil)
        let entry = try baselines.accept(run)
        #expect(try baselines.entries() == [entry])
        try baselines.accept(run)
        #expect(try baselines.entries().count == 1)
        #expect(try StoredReport(folder: baselines.path(of: entry)).rows == Self.report(1.5).rows)
        #expect(try baselines.best(for: Self.record(fingerprint: "other"))?.runID == "run")
        #expect(throws: Fault.self) { try run.begin() }
        try run.finish(Self.record(faults: ["x"]), rows: [], samples: [])
        #expect(throws: Fault.self) { try baselines.accept(run) }
    }

    @Test func theRecordComesBackFromItsFile() throws {
        let record = Self.record(faults: ["one"])
        let read = try RunRecord(json: record.json.bytes(.pretty))
        #expect(read.id == record.id && read.fingerprint == "f" && read.faults == ["one"] && read.cellVersions.map(\.version) == ["v"])
        #expect(throws: Fault.self) { try RunRecord(json: Array("{}".utf8)) }
        #expect(throws: Fault.self) { try RunRecord(json: Array("{".utf8)) }
    }
}

struct RunReportTests {
    @Test func markdownAndPageHoldEveryRatioVerdictAndNoScript() {
        var invalid = RunComparisonTests.row(.wall, ratio: 2)
        invalid.verdict = .invalid
        invalid.reason = "plain & cipher answer <differently>"
        invalid.cellID = "other"
        let report = RunReport(StoredReport(record: RunComparisonTests.record(), rows: [RunComparisonTests.row(.wall, ratio: 1.57), invalid]), history: [])
        #expect(report.markdown.contains("| work/entries=10 | 100 ns | 157 ns | 1.57 [1.55, 1.59] | \u{25B2} slower |"))
        #expect(report.html.contains("1.57 [1.55, 1.59]  \u{25B2} slower") && report.html.contains("\u{2715} invalid"))
        #expect(!report.html.contains("<script") && !report.html.contains("http"))
        #expect(report.html.contains("prefers-color-scheme:dark"))
    }

    @Test(arguments: [
        (0.4, "0.40 ns"), (12_345, "12.3 us"), (1_040_000, "1.04 ms"), (2.5e9, "2.50 s"),
    ])
    func timesAreWrittenInUnitsThatFit(nanoseconds: Double, text: String) { #expect(Figures.time(nanoseconds) == text) }

    @Test func tablesAlign() {
        var table = TextTable([("name", .left), ("n", .right)])
        table.add(["a", "10"])
        table.add(["long", "5"])
        #expect(table.text == "name   n\n----  --\na     10\nlong   5\n")
        #expect(table.markdown == "| name | n |\n| --- | ---: |\n| a | 10 |\n| long | 5 |\n")
    }
}
