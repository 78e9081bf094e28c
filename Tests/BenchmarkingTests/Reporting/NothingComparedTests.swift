import Foundation
import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// Runs `soup check` with files that compare nothing, less than all, or contradict themselves: none of them ends with
/// 0.
struct NothingComparedTests {
    private let folder: TemporaryFolder
    private let program: BenchProgram

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
    }

    /// One change of a run's files, and how a check of it ends.
    struct Input: Sendable, CustomTestStringConvertible {
        let name: String
        let code: Int32
        /// What the output or the error names.
        let text: String
        var record: @Sendable () -> RunRecord = { RunComparisonTests.record(id: "new") }
        var rows: @Sendable () -> [SummaryRow] = { RunComparisonTests.report(1.5).rows }
        /// A text of summary.csv, and what replaces it.
        var change: (part: String, other: String)?
        var testDescription: String { name }
    }

    private static func cells(_ id: String, hash: String = "h") -> RunRecord {
        RunRecord(
            id: "new", startedUTC: "2026-01-01T00:00:00Z", commit: "c", profile: .quick, seed: 1,
            commandLine: ["soup"], fingerprint: "f", libraries: "l", cellVersions: [(id, "v")],
            corpora: [Corpus(name: "generated/entries=10", hash: hash)], ending: .complete, seconds: 1, faults: [],
            details: JSONObject())
    }

    private static func renamed() -> [SummaryRow] {
        RunComparisonTests.report(1.5).rows.map { row in
            var row = row
            row.cellID = "another/entries=10"
            return row
        }
    }

    static let inputs: [Input] = [
        Input(name: "unchanged", code: 0, text: "compared 3 of 3 gating rows"),
        Input(
            name: "only cells that the stored run lacks", code: 5, text: "compared 0 of 3 gating rows",
            record: { cells("another/entries=10") }, rows: renamed),
        Input(
            name: "another machine with other libraries", code: 5, text: "compared 0 of 2 gating rows",
            record: { RunComparisonTests.record(id: "new", fingerprint: "g", libraries: "m") }),
        Input(
            name: "documents of another hash", code: 5, text: "the documents of generated/entries=10 changed",
            record: { cells("work/entries=10", hash: "i") }),
        Input(
            name: "another definition", code: 5, text: "the definition of the cell changed",
            record: { RunComparisonTests.record(id: "new", version: "w") },
            rows: {
                RunComparisonTests.report(1.5).rows.map { row in
                    var row = row
                    row.version = "w"
                    return row
                }
            }),
        Input(
            name: "out of time before the first cell", code: 5, text: "not measured here: work/entries=10",
            record: {
                var record = RunComparisonTests.record(id: "new")
                record.ending = .outOfTime
                return record
            }, rows: { [] }),
        Input(
            name: "too few pairs", code: 5, text: "too few pairs to compare ratios: work/entries=10",
            rows: {
                var rows = RunComparisonTests.report(1.5).rows
                rows[0].estimate = RatioEstimate(ratio: 1.5, interval: nil, pairs: 3)
                return rows
            }),
        Input(
            name: "a row is missing", code: 3, text: "missing in this run",
            rows: { Array(RunComparisonTests.report(1.5).rows.prefix(1)) }),
        Input(
            name: "a run with a fault", code: 3, text: "the control row moved",
            record: { RunComparisonTests.record(id: "new", faults: ["the control row moved"]) }),
        Input(
            name: "rows marked invalid, run valid", code: 2, text: "is not valid, but run.json says that the run is",
            rows: {
                var rows = RunComparisonTests.report(1.5).rows
                rows[1].verdict = .invalid
                return rows
            }),
        Input(
            name: "the same row twice", code: 2, text: "is in the file twice",
            rows: {
                let rows = RunComparisonTests.report(1.5).rows
                return rows + [rows[0]]
            }),
        Input(
            name: "milliseconds", code: 2, text: "the unit is ms, but such figures are in ns",
            change: (",wall,ns,", ",wall,ms,")),
        Input(
            name: "the summary of another run", code: 2, text: "the row is of run old, but run.json describes run new",
            change: (",new,work", ",old,work")),
        Input(
            name: "a hexadecimal ratio", code: 2, text: "ratio is not a number",
            change: (",1.5,", ",0x18,")),
        Input(
            name: "a ratio outside of its interval", code: 2, text: "the ratio is outside of its interval",
            change: (",1.5,1.4", ",1.2,1.4")),
        Input(
            name: "rows of a cell that is not in the run", code: 2, text: "which is not a cell of run.json",
            rows: { RunComparisonTests.report(1.5).rows + renamed() }),
    ]

    private func write(_ record: RunRecord, _ rows: [SummaryRow], to name: String) throws -> RunFolder {
        let run = RunFolder(path: folder.file(name))
        try run.begin()
        try run.finish(record, rows: rows, samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        return run
    }

    @Test(arguments: inputs) func `only a whole comparison ends with zero`(_ input: Input) throws {
        let stored = try write(
            RunComparisonTests.record(id: "stored"), RunComparisonTests.report(1.5).rows, to: "stored")
        let new = try write(input.record(), input.rows(), to: "new")
        if let change = input.change {
            let text = try String(contentsOfFile: new.summaryPath, encoding: .utf8)
            #expect(text.contains(change.part), "\(change.part) is not in the file")
            try text.replacing(change.part, with: change.other).write(
                toFile: new.summaryPath, atomically: true, encoding: .utf8)
        }
        let ended = try program.run([
            "check", "--run", new.path, "--against", stored.path, "--reports", folder.file("none"),
        ])
        #expect(ended.code == input.code, "\(ended.output)\(ended.errors)")
        #expect((ended.output + ended.errors).contains(input.text), "\(ended.output)\(ended.errors)")
        let last = ended.output.split(separator: "\n").last ?? ""
        #expect(input.code == 2 ? ended.output.isEmpty : last.contains(" of 3 gating rows") || last.contains(" of 2 "))
    }

    @Test func `a stored run that is not valid makes the check invalid`() throws {
        let stored = try write(
            RunComparisonTests.record(id: "stored", faults: ["the control drifted"]),
            RunComparisonTests.report(1.5).rows, to: "stored")
        let new = try write(RunComparisonTests.record(id: "new"), RunComparisonTests.report(1.5).rows, to: "new")
        let ended = try program.run([
            "check", "--run", new.path, "--against", stored.path, "--reports", folder.file("none"),
        ])
        #expect(ended.code == 3 && ended.output.contains("stored run stored: the control drifted"))
    }

    @Test func `without an accepted report nothing is compared`() throws {
        let new = try write(RunComparisonTests.record(id: "new"), RunComparisonTests.report(1.5).rows, to: "new")
        let ended = try program.run(["check", "--run", new.path, "--reports", folder.file("none")])
        #expect(ended.code == 5 && ended.errors.hasSuffix("compared 0 of 0 gating rows\n"))
    }

    @Test func `what was not asked for is not counted`() throws {
        func record(_ id: String, _ cells: [String]) -> RunRecord {
            RunRecord(
                id: id, startedUTC: "", commit: "c", profile: .quick, seed: 1, commandLine: [], fingerprint: "f",
                libraries: "l", cellVersions: cells.map { ($0, "v") }, corpora: [], ending: .complete, seconds: 1,
                faults: [], details: JSONObject())
        }
        let other = Self.renamed().map { row in
            var row = row
            row.cellID = "another/entries=20"
            return row
        }
        let rows = RunComparisonTests.report(1.5).rows
        let stored = StoredReport(
            record: record("stored", ["work/entries=10", "another/entries=20"]), rows: rows + other)
        let new = StoredReport(record: record("new", ["work/entries=10"]), rows: rows)
        func coverage(_ asked: AskedCells) -> Coverage {
            RunComparison(new: new, stored: stored, asked: asked).coverage
        }
        #expect("\(coverage(.all))" == "compared 3 of 6 gating rows" && !coverage(.all).isWhole)
        for asked in [
            AskedCells(filter: ["work"]), AskedCells(filter: ["^w.*10$"]), AskedCells(sizes: [10]),
            AskedCells(filter: ["FLOOR-x"], measured: ["work/entries=10"]),
        ] {
            #expect("\(coverage(asked))" == "compared 3 of 3 gating rows" && coverage(asked).isWhole)
        }
        #expect("\(coverage(AskedCells(filter: ["nothing"])))" == "compared 0 of 0 gating rows")
        #expect(!coverage(AskedCells(filter: ["nothing"])).isWhole)
    }

    /// Only `rows` can be compared between libraries, which is less than what gates.
    @Test func `a counter that needs no library is not a whole comparison`() {
        let row = RunComparisonTests.row(.rows, ratio: 1)
        let stored = StoredReport(
            record: RunComparisonTests.record(), rows: RunComparisonTests.report(1.5).rows + [row])
        let new = StoredReport(
            record: RunComparisonTests.record(fingerprint: "g", libraries: "m"),
            rows: RunComparisonTests.report(1.5).rows + [row])
        let comparison = RunComparison(new: new, stored: stored)
        #expect("\(comparison.coverage)" == "compared 2 of 4 gating rows")
        #expect(CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: false) == .incomparable)
    }

    /// The control alone proves nothing about the work.
    @Test func `the control is not counted`() {
        var row = RunComparisonTests.row(.rows, ratio: 1)
        (row.workload, row.cellID) = (Control.workload, Control.workload)
        let record = RunRecord(
            id: "new", startedUTC: "", commit: "c", profile: .quick, seed: 1, commandLine: [], fingerprint: "f",
            libraries: "l", cellVersions: [(Control.workload, "v")], corpora: [], ending: .complete, seconds: 1,
            faults: [], details: JSONObject())
        let report = StoredReport(record: record, rows: [row])
        let comparison = RunComparison(new: report, stored: report)
        #expect(comparison.rows.count == 2 && comparison.coverage == Coverage())
        #expect(CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: false) == .incomparable)
    }
}
