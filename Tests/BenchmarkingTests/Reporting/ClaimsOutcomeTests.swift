import Foundation
import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Claims over the runs in several folders, and the files in which they are kept.
struct ClaimsOutcomeTests {
    /// Writes a run of the cell `path-depth`, which has no null row, at one size; the deep index takes `factor` times
    /// as long.
    private static func write(
        _ folder: RunFolder, size: Int, factor: Int, faults: [String] = [], fingerprint: String = "f"
    ) throws {
        let cells = SoupCells().cells(CellScope(profile: Profile(.full), sizes: [size])).filter {
            $0.workload == "path-depth"
        }.map {
            PlannedCell($0, profile: Profile(.quick))
        }
        var samples: [Sample] = []
        for planned in cells {
            var planted = PlantedSamples(planned.cell)
            for block in 0..<6 {
                for arm in planned.arms {
                    let time = (arm.way == "level-16" ? factor * 1_000_000 : 1_000_000) + block
                    planted.add(arm, block: block, .wall, time)
                    planted.add(arm, block: block, .cpu, time)
                }
            }
            samples += planted.samples
        }
        let rows = RunJudge(cells, samples: samples).rows()
        try folder.begin()
        var record = RunComparisonTests.record(
            fingerprint: fingerprint, faults: faults, cells: cells.map { ($0.cell.id, $0.cell.version) })
        record.ending = .complete
        try folder.finish(
            record, rows: rows, samples: samples, claims: ClaimsOutcome(cells.map(\.cell), rows: rows, samples: samples)
        )
    }

    @Test func `parts of a run are joined and the last valid one counts`() throws {
        let folder = try TemporaryFolder()
        let names = ["a", "b", "c", "d"].map { folder.file($0) }
        try Self.write(RunFolder(path: names[0]), size: 1_000, factor: 1)
        try Self.write(RunFolder(path: names[1]), size: 10_000, factor: 3)
        try Self.write(RunFolder(path: names[2]), size: 1_000, factor: 2)
        try Self.write(RunFolder(path: names[3]), size: 1_000, factor: 9, faults: ["the control row moved"])
        let outcome = try ClaimsOutcome(folders: names, catalogue: SoupCells())
        let ratios = outcome.claims.map { row -> String in
            if case .ratio(let estimate) = row.figure { Figures.ratio(estimate.ratio) } else { "?" }
        }
        #expect(
            outcome.claims.map(\.cellID) == [
                "path-depth/entries=1000", "path-depth/entries=1000", "path-depth/entries=10000",
                "path-depth/entries=10000",
            ])
        #expect(ratios == ["2.00", "2.00", "3.00", "3.00"] && outcome.claims.allSatisfy { $0.finding == .holds })
        #expect(
            outcome.faults == ["run run: the control row moved"]
                && outcome.text.contains("INVALID: run run: the control row moved"))
        #expect(outcome.text.contains("4 rows of claims: 4 holds, 0 does not hold, 0 inconclusive"))
        let curve = try #require(outcome.curves.first { $0.arm == "cipher/level-16" })
        #expect(
            curve.points.map(\.entries) == [1_000, 10_000]
                && GrowthTable.exponent(curve).hasPrefix("n^0.18 [0.18, 0.18]"))
        #expect(throws: Fault.self) { try ClaimsOutcome(folders: [], catalogue: SoupCells()) }
    }

    @Test func `runs of different machines are not joined`() throws {
        let folder = try TemporaryFolder()
        try Self.write(RunFolder(path: folder.file("a")), size: 1_000, factor: 2)
        try Self.write(RunFolder(path: folder.file("b")), size: 10_000, factor: 2, fingerprint: "another")
        let fault = #expect(throws: Fault.self) {
            try ClaimsOutcome(folders: [folder.file("a"), folder.file("b")], catalogue: SoupCells())
        }
        #expect(fault?.code == .invalidArguments)
    }

    @Test func `cells of the smallest size are found though others have fewer entries`() throws {
        let folder = try TemporaryFolder()
        let scope = CellScope(profile: Profile(.full), sizes: [1_000, 3_000])
        let wanted = ["open-iterations/entries=1000", "mock-sync-up/entries=500;target=single"]
        let cells = SoupCells().cells(scope).filter { wanted.contains($0.id) }.map {
            PlannedCell($0, profile: Profile(.quick))
        }
        #expect(cells.count == 2)
        var samples: [Sample] = []
        for planned in cells {
            var planted = PlantedSamples(planned.cell)
            for block in 0..<6 {
                for arm in planned.arms {
                    planted.add(arm, block: block, .wall, 1_000_000 + block)
                    planted.add(arm, block: block, .cpu, 1_000_000 + block)
                }
            }
            samples += planted.samples
        }
        let run = RunFolder(path: folder.file("a"))
        try run.begin()
        let record = RunComparisonTests.record(
            cells: cells.map { ($0.cell.id, $0.cell.version) },
            corpora: [1_000, 3_000].map { Corpus(generated: $0, hash: "h") })
        let rows = RunJudge(cells, samples: samples).rows()
        try run.finish(
            record, rows: rows, samples: samples, claims: ClaimsOutcome(cells.map(\.cell), rows: rows, samples: samples)
        )
        let outcome = try ClaimsOutcome(folders: [run.path], catalogue: SoupCells())
        #expect(outcome.outdatedCells == [])
    }

    @Test func `a cell measured under another definition is named`() throws {
        let folder = try TemporaryFolder()
        try Self.write(RunFolder(path: folder.file("a")), size: 1_000, factor: 2)
        let definition = try #require(
            SoupCells().cells(CellScope(profile: Profile(.full), sizes: [1_000])).first {
                $0.workload == "path-depth"
            })
        for file in ["a/summary.csv", "a/run.json"].map(folder.file) {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains(definition.version))
            try text.replacingOccurrences(of: definition.version, with: "0123456789ab").write(
                toFile: file, atomically: true, encoding: .utf8)
        }
        let outcome = try ClaimsOutcome(folders: [folder.file("a")], catalogue: SoupCells())
        #expect(outcome.claims.isEmpty && outcome.outdatedCells == [definition.id])
        #expect(outcome.text.contains("left out: \(definition.id) has another definition now; measure it again"))
    }

    @Test func `a run's claims are in its files and on its page`() throws {
        let folder = try TemporaryFolder()
        let run = RunFolder(path: folder.file("run"))
        try Self.write(run, size: 1_000, factor: 2)
        let claims = try CSVTable(try run.read("claims.csv"))
        #expect(claims.columns == ClaimsFile.file.descriptions.map(\.name) && claims.rows.count == 2)
        let finding = try claims.column("finding")
        let backend = try claims.column("backend")
        let figure = try claims.column("figure")
        #expect(claims.rows.map(backend) == ["plain", "cipher"] && claims.rows.allSatisfy { finding($0) == "holds" })
        #expect(claims.rows.allSatisfy { abs((Double(figure($0)) ?? 0) - 2) < 0.01 })
        let arms = try claims.column("arms")
        #expect(Set(claims.rows.map(arms)).count == 2)
        #expect(try CSVTable(try run.read("growth.csv")).columns == GrowthFile.file.descriptions.map(\.name))

        let definition = try #require(
            SoupCells().cells(CellScope(profile: Profile(.full), sizes: [1_000])).first {
                $0.workload == "path-depth"
            })
        let stored = try StoredReport(folder: run.path)
        let record = RunRecord(
            id: "run", startedUTC: "", commit: "", profile: .quick, seed: 1, commandLine: [], fingerprint: "f",
            libraries: "",
            cellVersions: [(id: definition.id, version: definition.version)], corpora: [], ending: .complete,
            seconds: 1, faults: [], details: JSONObject())
        let report = RunReport(
            StoredReport(record: record, rows: stored.rows), samples: try run.samples(), history: [],
            catalogue: SoupCells())
        #expect(report.html.contains("PERF-19: ") && report.html.contains("(holds: 2)</th>"))
        for text in [report.markdown, report.html] {
            #expect(text.contains("PERF-19") && text.contains("holds") && text.contains("cipher"))
        }
    }
}
