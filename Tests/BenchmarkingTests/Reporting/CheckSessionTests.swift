import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// When a session of a check proves nothing, and what a run must have before later ones are compared with it.
struct CheckSessionTests {
    private static func record(
        _ id: String = "new", ending: Runner.Ending = .complete, shard: Shard = .whole, faults: [String] = []
    ) -> RunRecord {
        var record = RunComparisonTests.record(id: id, faults: faults, shard: shard)
        record.ending = ending
        return record
    }

    private static func session(
        _ ratio: Double = 1.5, _ record: RunRecord = record(), rows: [SummaryRow]? = nil
    ) -> CheckSession {
        let report = RunComparisonTests.report(ratio, record: record)
        return CheckSession(
            StoredReport(record: record, rows: rows ?? report.rows),
            stored: RunComparisonTests.report(1.5, record: Self.record("stored")))
    }

    private static func outcome(
        _ first: CheckSession, _ second: CheckSession? = nil, isStrict: Bool = false
    ) -> CheckOutcome {
        CheckOutcome(
            first.comparison, confirmedBy: second?.comparison, faults: first.faults + (second?.faults ?? []),
            isStrict: isStrict)
    }

    @Test func `a session that did not end or is a part of a run says nothing`() {
        #expect(Self.session().faults.isEmpty && Self.session(1.5, Self.record(ending: .outOfTime)).faults.isEmpty)
        for (record, text) in [
            (Self.record(ending: .interrupted), "--resume"), (Self.record(ending: .running), "--resume"),
            (Self.record(shard: Shard(1, of: 4) ?? .whole), "soup merge"),
        ] {
            let session = Self.session(1.5, record)
            #expect(
                session.faults.count == 1 && session.faults[0].contains(text) && Self.outcome(session) == .invalidRun)
        }
    }

    /// The first session shows a regression. Whatever is wrong with the second one, it neither clears nor confirms
    /// that.
    @Test func `a confirming session that says nothing makes the check invalid`() {
        let first = Self.session(1.9)
        #expect(Self.outcome(first, Self.session(1.9, Self.record("second"))) == .regression)
        #expect(Self.outcome(first, Self.session(1.5, Self.record("second"))) == .nothingSlower)
        for second in [
            Self.session(1.9, Self.record("second", faults: ["the control moved"])),
            Self.session(1.9, Self.record("second", ending: .interrupted)),
            Self.session(1.9, Self.record("second"), rows: []),
        ] {
            #expect(Self.outcome(first, second) == .invalidRun)
        }
    }

    @Test func `a run confirms neither itself nor one of another machine`() {
        let first = Self.session(1.9)
        #expect(first.obstacle(toConfirming: first)?.contains("cannot confirm itself") == true)
        let other = Self.session(1.9, RunComparisonTests.record(id: "second", fingerprint: "other"))
        #expect(other.obstacle(toConfirming: first)?.contains("another kind of machine") == true)
        #expect(Self.session(1.9, Self.record("second")).obstacle(toConfirming: first) == nil)
    }

    @Test func `strict leaves nothing open that looks slower`() {
        let first = Self.session(1.9)
        #expect(Self.outcome(first) == .nothingSlower && Self.outcome(first, isStrict: true) == .inconclusive)
        #expect(Self.outcome(first, Self.session(1.5, Self.record("second")), isStrict: true) == .nothingSlower)
        let wide = [
            RunComparisonTests.row(.wall, ratio: 1.9, halfWidth: 0.4),
            RunComparisonTests.row(.vmSteps, ratio: 1, base: 1_000),
        ]
        #expect(
            Self.outcome(first, Self.session(1.9, Self.record("second"), rows: wide), isStrict: true) == .inconclusive)
        #expect(Self.outcome(Self.session(), isStrict: true) == .nothingSlower)
    }

    @Test func `cells that only one run has are named`() {
        func record(_ cells: [String]) -> RunRecord {
            RunRecord(
                id: cells.joined(), startedUTC: "", commit: "c", profile: .quick, seed: 1, commandLine: [],
                fingerprint: "f", libraries: "l",
                cellVersions: [("work/entries=10", "v")] + cells.map { (id: $0, version: "v") }, corpora: [],
                ending: .complete, seconds: 1, faults: [],
                details: JSONObject())
        }
        let new = record(["added", "new"])
        let stored = record(["gone"])
        let comparison = RunComparison(
            new: RunComparisonTests.report(1.5, record: new), stored: RunComparisonTests.report(1.5, record: stored))
        #expect(comparison.notMeasured == ["gone"] && comparison.notStored == ["added", "new"])
        let text = ComparisonReport(comparison, new: new, stored: stored).make(.text)
        #expect(text.contains("not measured here: gone\n") && text.contains("not in the stored run: added, new\n"))
        func outcome(all: Bool = false, whole: Bool = false) -> CheckOutcome {
            CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: false, wantsAll: all, wantsWhole: whole)
        }
        #expect(
            outcome() == .nothingSlower && outcome(all: true) == .inconclusive && outcome(whole: true) == .inconclusive)
    }

    /// A counter compared with an arm that counts nothing has no ratio; its own quantiles show whether it repeats.
    @Test(arguments: [(27.0, true), (28.0, false)])
    func `a counter that does not repeat gates nothing, also next to an arm that counts nothing`(
        p95: Double, gates: Bool
    ) throws {
        var row = RunComparisonTests.row(.cacheWrites, ratio: 1)
        (row.baseMedian, row.baseP95, row.armMedian, row.armP95, row.estimate) = (0, 0, 27, p95, nil)
        row.verdict = .inconclusive
        let stored = StoredReport(record: Self.record("stored"), rows: [row])
        let comparison = RunComparison(new: StoredReport(record: Self.record(), rows: [row]), stored: stored)
        #expect(try #require(comparison.rows.first { $0.arms == "cipher" }).gates == gates)
    }

    @Test func `cells that a run without time never came to are not missing`() {
        let stored = RunComparisonTests.report(1.5, record: Self.record("stored"))
        let session = CheckSession(StoredReport(record: Self.record(ending: .outOfTime), rows: []), stored: stored)
        #expect(session.faults.isEmpty && session.comparison.notMeasured == ["work/entries=10"])
        #expect(
            CheckSession(StoredReport(record: Self.record(), rows: []), stored: stored).comparison.faults.count == 3)
    }

    // MARK: - Accepting

    private static func accept(
        _ record: RunRecord, _ rows: [SummaryRow], in folder: TemporaryFolder, fewerCells: Bool = false
    ) throws {
        let run = RunFolder(path: folder.file(record.id))
        try run.begin()
        try run.finish(record, rows: rows, samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        try Baselines(folder: folder.file("Reports")).accept(run, fewerCells: fewerCells)
    }

    @Test func `runs with which nothing could be compared are not accepted`() throws {
        let folder = try TemporaryFolder()
        var thin = RunComparisonTests.row(.wall, ratio: 1.5)
        thin.estimate = RatioEstimate(ratio: 1.5, interval: nil, pairs: 2)
        var beside = RunComparisonTests.row(.wall, ratio: 1)
        (beside.baseArm, beside.arm) = ("plain@old", .plain)
        for (index, (row, text)) in [(thin, "too few pairs"), (beside, "plain@old")].enumerated() {
            let fault = #expect(throws: Fault.self) { try Self.accept(Self.record("run-\(index)"), [row], in: folder) }
            #expect(fault?.code == .invalidArguments && fault?.message.contains(text) == true)
        }
    }

    @Test func `a run that lacks cells replaces a report only when asked to`() throws {
        let folder = try TemporaryFolder()
        try Self.accept(Self.record("first"), RunComparisonTests.report(1.5).rows, in: folder)
        let empty = RunRecord(
            id: "second", startedUTC: "", commit: "c", profile: .quick, seed: 1, commandLine: [], fingerprint: "f",
            libraries: "l", cellVersions: [],
            corpora: [], ending: .complete, seconds: 1, faults: [], details: JSONObject())
        let fault = #expect(throws: Fault.self) { try Self.accept(empty, [], in: folder) }
        #expect(fault?.message.contains("work/entries=10") == true && fault?.message.contains("--fewer-cells") == true)
        try Folders.remove(folder.file("second"))
        try Self.accept(empty, [], in: folder, fewerCells: true)
    }
}
