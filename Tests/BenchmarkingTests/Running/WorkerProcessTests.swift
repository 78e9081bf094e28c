import Foundation
import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Whole runs through the built program, with its workers as processes of their own.
@Suite(.serialized, .enabled(if: SoupProgram.exists, "the program soup was not built"))
struct WorkerProcessTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// `quick` would take minutes: six pairs of two cells show the same.
    private func run(
        _ cells: [PlannedCell], blocks: Int, builds: [(name: String, executable: String)] = []
    ) throws -> [Sample] {
        let setting = RunSetting(
            scope: CellScope(profile: Profile(.smoke)), executable: SoupProgram.path, workerArguments: ["bench-worker"],
            builds: builds,
            dataFolder: folder.file("data"))
        var samples: [Sample] = []
        let ending = try Runner(setting).run(
            cells.map {
                var cell = $0
                cell.blocks = blocks
                return cell
            }
        ) { samples += $0 }
        #expect(ending == .complete)
        return samples
    }

    private func cells(_ workloads: String...) -> [PlannedCell] {
        SoupCells().cells(CellScope(profile: Profile(.smoke))).filter { workloads.contains($0.workload) }.map {
            PlannedCell($0, profile: Profile(.smoke))
        }
    }

    @Test func `every block is a process of its own`() throws {
        let samples = try run(cells("retrieve", "exact"), blocks: 3)
        let blocks = Dictionary(grouping: samples) { "\($0.cellID) \($0.block)" }
        #expect(blocks.count == 6)
        for (name, samples) in blocks {
            #expect(Set(samples.map(\.process)).count == 1, "\(name)")
        }
        #expect(Set(samples.map(\.process)).count == 6)
        #expect(!samples.contains { $0.process == Int(ProcessInfo.processInfo.processIdentifier) })
        // The same in the file: one process id for each block, as many as there are blocks.
        let read = try SamplesFile.read(SamplesFile.header + SamplesFile.rows(samples, run: "r"))
        #expect(Set(read.map(\.process)) == Set(samples.map(\.process)))
    }

    @Test func `arms take turns and warm ups are stored but not judged`() throws {
        let samples = try run(cells("retrieve"), blocks: 2)
        let orders = Dictionary(grouping: samples) { $0.block }.mapValues { Set($0.map(\.order)) }
        #expect(orders[0]?.count == 1 && orders[1]?.count == 1 && orders[0] != orders[1])
        #expect(samples.contains { $0.isWarmUp && $0.metric == .wall })
        for sample in samples where sample.metric == .wall && !sample.isWarmUp {
            #expect(sample.value ?? 0 >= 20_000_000, "a sample fills 20 ms")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("data/plain")) == ["templates"],
            "blocks leave no files")
    }

    /// This build under another name: each block has a process of each build, and both do the same work.
    @Test func `another build takes turns in the same block`() throws {
        let planned = cells("retrieve").compactMap { $0.beside(builds: ["previous"], arms: [.plain]) }
        #expect(planned.first?.arms == ["plain", "plain@previous", .plainAgain])
        let samples = try run(planned, blocks: 2, builds: [("previous", SoupProgram.path)])
        let block = samples.filter { $0.block == 0 }
        #expect(Set(block.map(\.process)).count == 2)
        let rows = CellJudge(try #require(planned.first), samples: samples).rows()
        #expect(rows.contains { $0.baseArm == "plain@previous" && $0.arm == .plain && $0.isDigestSame == true })
    }

    /// One program under two names: the build made again is a third arm in the same blocks, and gives the null row next
    /// to that of the first.
    @Test func `a build made again takes turns too`() throws {
        let planned = cells("retrieve").compactMap {
            $0.beside(builds: ["previous", "previous-again"], arms: [.plain])
        }
        let samples = try run(
            planned, blocks: 2, builds: [("previous", SoupProgram.path), ("previous-again", SoupProgram.path)])
        #expect(Set(samples.filter { $0.block == 0 }.map(\.process)).count == 3)
        let rows = CellJudge(try #require(planned.first), samples: samples).rows()
        let null = rows.filter { $0.baseArm == "plain@previous" && $0.arm == "plain@previous-again" }
        #expect(!null.isEmpty && null.allSatisfy { $0.isDigestSame == true && $0.verdict != .invalid })
        #expect(null.filter(\.metric.isExact).allSatisfy { $0.verdict == .same })
    }

    @Test func `work that can be done once takes its turns there and back next to another build`() throws {
        let planned = cells("delete").compactMap { $0.beside(builds: ["previous"], arms: [.plain]) }
        let samples = try run(planned, blocks: 1, builds: [("previous", SoupProgram.path)])
        #expect(samples.first?.order == "plain>plain@previous>plain@previous>plain")
        #expect(samples.filter { $0.metric == .wall }.map(\.slot) == [0, 1, 2, 3])
        #expect(Set(samples.map(\.process)).count == 2)
        let rows = CellJudge(try #require(planned.first), samples: samples).rows()
        #expect(
            rows.allSatisfy { $0.isDigestSame == true && $0.verdict != .invalid }
                && rows.first { $0.metric == .wall }?.estimate?.pairs == 1)
    }

    @Test func `a worker reports its plans and its memory`() throws {
        let samples = try run(cells("exact"), blocks: 1)
        let plans = samples.filter { $0.remark == .queryPlan }
        #expect(
            plans.contains {
                $0.arm == .plain && $0.note.contains("SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0=?)")
            }, "\(plans.map(\.note))")
        #expect(
            Set(samples.filter { $0.remark == .workerMemory }.map(\.arm))
                == Set(samples.filter { $0.remark != .unsupported && $0.remark != .blockTime }.map(\.arm)))
    }

    @Test func `a program that is not a worker is an error and does not hang`() throws {
        #expect(throws: Fault.self) { try WorkerProcess(executable: "/nowhere", arguments: [], padding: 0).finish() }
        let worker = try WorkerProcess(executable: "/bin/true", arguments: [], padding: 10)
        #expect(throws: Fault.self) { try worker.ask(["do": "begin"]) }
    }

    @Test func `a cell that the other side does not know is unsupported`() throws {
        let unknown = Cell("no-such-cell", revision: 1, summary: "-", arms: [.plain], comparisons: []) { _, _ in
            Computation {
                1
            } answer: { _ in
            }
        }
        let samples = try run([PlannedCell(unknown, profile: Profile(.smoke))], blocks: 1)
        #expect(samples.map(\.remark) == [.unsupported, .blockTime])
        #expect(samples.first?.note.contains("no-such-cell") == true)
    }
}

/// The program next to the test bundle.
enum SoupProgram {
    static let path: String = {
        let folder = (CommandLine.arguments.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        let beside = folder + "/soup"
        return FileManager.default.isExecutableFile(atPath: beside)
            ? beside : TestData.packageRoot + "/.build/debug/soup"
    }()

    static let exists = FileManager.default.isExecutableFile(atPath: path)
}
