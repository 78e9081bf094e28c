import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// Accepting writes only below the folder of reports, in a path where the report is found again, and overwrites
/// nothing.
struct BaselinesTests {
    let folder: TemporaryFolder
    let baselines: Baselines

    init() throws {
        folder = try TemporaryFolder()
        baselines = Baselines(folder: folder.file("inner/Reports"))
    }

    private func write(
        _ record: RunRecord, rows: [SummaryRow] = [], manifest: Manifest? = nil, to name: String
    ) throws -> RunFolder {
        let run = RunFolder(path: folder.file(name))
        try run.begin()
        if let manifest {
            try run.write(record, manifest)
        }
        try run.finish(record, rows: rows, samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        return run
    }

    @Test(arguments: ["../../x", "..", ".", "", "a/b", "a\\u0000b", "a b", "\u{E9}"])
    func `a run whose names lead elsewhere is refused`(name: String) throws {
        let run = try write(RunComparisonTests.record(id: "run-1", fingerprint: "f-1"), to: "run")
        let text = String(decoding: try run.read("run.json"), as: UTF8.self)
        for own in ["run-1", "f-1"] {
            try run.write(Array(text.replacing("\"\(own)\"", with: "\"\(name)\"").utf8), to: "run.json")
            let fault = #expect(throws: Fault.self) { try baselines.accept(run) }
            #expect(
                fault?.code == .invalidJSON && fault?.message.contains(own == "f-1" ? "fingerprint" : "run_id") == true)
        }
        #expect(Folders.names(in: folder.path) == ["run"], "nothing is written")
    }

    @Test(arguments: [("f,", "../f,"), (",run,", ",..,"), (",run,", ",a/b,")])
    func `a list that names another place is refused`(part: String, other: String) throws {
        try baselines.accept(try write(RunComparisonTests.record(), to: "run"))
        let list = String(decoding: try RunFolder(path: baselines.folder).read("baselines.csv"), as: UTF8.self)
        try RunFolder(path: baselines.folder).write(
            Array(list.replacing("\n" + part, with: "\n" + other).replacing(part, with: other).utf8),
            to: "baselines.csv")
        let fault = #expect(throws: Fault.self) { try baselines.entries() }
        #expect(fault?.code == .syntax && fault?.message.contains("baselines.csv") == true)
    }

    @Test func `an accepted report is never overwritten`() throws {
        let row = RunComparisonTests.row(.wall, ratio: 1.5)
        let run = try write(RunComparisonTests.record(), to: "run")
        let other = try write(RunComparisonTests.record(), rows: [row], to: "other")
        let withManifest = try write(RunComparisonTests.record(), manifest: Manifest([]), to: "with-manifest")
        let accepted = RunFolder(path: baselines.path(of: try baselines.accept(run)))
        let before = try accepted.read("summary.csv")
        for another in [other, withManifest] {
            let fault = #expect(throws: Fault.self) { try baselines.accept(another) }
            #expect(fault?.code == .invalidArguments && fault?.message.contains(accepted.path) == true)
        }
        #expect(try accepted.read("summary.csv") == before && baselines.entries().count == 1)
        // The same run once more: it becomes the baseline again, even after another one was accepted.
        try baselines.accept(run)
        #expect(try baselines.entries().map(\.runID) == ["run"] && baselines.history().count == 1)
    }

    /// `--commit feature/login` names the source; the run's folder is still next to the others.
    @Test func `a run is named so that its report is found again`() throws {
        let record = RunComparisonTests.record(id: "20260101-000000-feature/l\u{F6}gi")
        #expect(
            record.id == "20260101-000000-feature-l--gi" && RunComparisonTests.record(id: "..").id == "--"
                && RunComparisonTests.record(id: "").id == "-")
        try baselines.accept(try write(record, to: "run"))
        #expect(try baselines.history().map(\.record.id) == [record.id])
    }

    @Test func `costs come from the folder in which a report was found`() throws {
        let manifest = Manifest(ShardPlan(undivided: ShardPlanTests.cells(["a"]))).delivered(
            FinishedBlocks(ManifestTests.blocks("a", 0..<7)), by: .whole)
        let entry = try baselines.accept(try write(RunComparisonTests.record(), manifest: manifest, to: "run"))
        try Folders.rename(baselines.path(of: entry), to: baselines.folder + "/f/renamed")
        #expect(try CostTable.stored(in: baselines.folder).measured("a")?.seconds == 0.5)
    }
}
