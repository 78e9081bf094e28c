import Foundation
import JSONText
import Platform
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Runs that were interrupted and are continued.
@Suite(.serialized, .enabled(if: SoupProgram.exists, "the program soup was not built"))
struct ResumedRunTests {
    let folder: TemporaryFolder
    let program: BenchProgram
    let run: RunFolder

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
        run = RunFolder(path: folder.file("run"))
    }

    /// Which process measured each whole block.
    private func processes() throws -> [String: Int] {
        Dictionary(
            try run.wholeSamples().filter { $0.remark == .blockTime }.map {
                ("\($0.cellID) \($0.look) \($0.block)", $0.process)
            }
        ) { _, _ in -1 }
    }

    /// Continues the run, and expects a whole run in which the finished blocks are unchanged.
    private func expectItGoesOn(after finished: [String: Int]) throws {
        let resumed = try program.run(program.bench(["--resume", run.path]))
        #expect(resumed.code == 0, "\(resumed.errors)")
        let processes = try processes()
        #expect(
            processes.keys.sorted()
                == ["control", "match-rare/entries=60"].flatMap { cell in (0..<3).map { "\(cell) first \($0)" } })
        #expect(!processes.values.contains(-1), "a block is there twice")
        for (block, process) in finished {
            #expect(processes[block] == process, "\(block) was measured again")
        }
        let record = try run.record()
        #expect(
            record.ending == .complete && record.faults.isEmpty && record.seconds > 0
                && record.details["resumed_utc"]?.array?.count == 1)
        #expect(try run.manifest().rows.map(\.deliveredPairs) == [3, 3])
        #expect(try Set(run.rows().map(\.cellID)) == ["control", "match-rare/entries=60"])
        // The samples are those of an uninterrupted run: the same blocks give the same rows.
        let cells = SoupCells().cells(CellScope(profile: Profile(.smoke))).filter {
            ["control", "match-rare"].contains($0.workload)
        }
        #expect(
            try RunJudge(cells.map { PlannedCell($0, profile: Profile(.smoke)) }, samples: run.samples()).rows()
                == run.rows())
    }

    @Test func `a killed run goes on after its last whole block`() throws {
        let process = try program.start(program.bench(["--output", run.path]))
        try program.wait(for: 2, in: run, of: process)
        let early = try program.run(program.bench(["--resume", run.path]))
        #expect(early.code == 2 && early.errors.contains("another process is measuring into \(run.path)"))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try run.record().ending == .running && !Folders.exists(run.summaryPath))
        let finished = try processes()
        #expect(finished.count >= 2 && finished.count < 6)
        // What a kill during a write leaves: a block without its end, and half a line with an open quote.
        let block = ManifestTests.blocks("match-rare/entries=60", 2..<3).dropLast()
        try append(SamplesFile.rows(Array(block), run: "r") + Array("\(SchemaVersion.current),r,1/1,\"retr".utf8))
        try expectItGoesOn(after: finished)
        #expect(try run.samples().allSatisfy { $0.value != 1_000 })
    }

    @Test func `Control-C keeps finished blocks and the run goes on`() throws {
        let process = try program.start(program.bench(["--output", run.path]))
        try program.wait(for: 1, in: run, of: process)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
        let record = try run.record()
        #expect(record.ending == .interrupted && record.faults.isEmpty)
        #expect(!Folders.exists(folder.file("data-\(process.processIdentifier)")), "the measured files are removed")
        let finished = try processes()
        #expect(!finished.isEmpty && finished.count < 6)
        try expectItGoesOn(after: finished)
        let again = try program.run(program.bench(["--resume", run.path]))
        #expect(again.code == 2 && again.errors.contains("is complete; there is nothing to resume"))
    }

    @Test func `a run that is out of time names the command that continues it`() throws {
        let ended = try program.run(program.bench(["--output", run.path, "--time-budget", "1", "--pairs", "40"]))
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.errors.contains("out of time; go on with: "))
        let line = try #require(ended.errors.split(separator: "\n").first { $0.contains("go on with: ") })
        #expect(line.hasSuffix("--pairs 40 --resume \(run.path)") && !line.contains("--time-budget"))
        #expect(line.contains("--filter match-rare/"))
    }

    /// The worker of another build never answers: only the signal ends the wait for it.
    @Test func `Control-C is heard while a worker is silent`() throws {
        let silent = folder.file("silent")
        #expect(TestFile.write(Array("#!/bin/sh\n: > \(silent).begun\nexec sleep 600\n".utf8), to: silent))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: silent)
        let process = try program.start(program.bench(["--output", run.path, "--beside", "silent=\(silent)"]))
        #expect(Waiting.block(unless: { !process.isRunning }) { Folders.exists(silent + ".begun") })
        let asked = Date.now
        process.interrupt()
        process.waitUntilExit()
        #expect(
            process.terminationStatus == 130 && process.terminationReason == .exit
                && Date.now.timeIntervalSince(asked) < 300)
        #expect(try run.record().ending == .interrupted)
    }

    @Test func `names and times that cannot be are refused before anything is written`() throws {
        for time in ["6000000h", "1e300", "721h", "0s", "nan"] {
            let refused = try program.run(program.bench(["--output", run.path, "--time-budget", time]))
            #expect(
                refused.code == 2
                    && refused.errors.contains("--time-budget takes a time such as 90s or 20m, of 30 days at most"),
                "\(refused.errors)")
            #expect(!Folders.exists(run.path))
        }
        #expect(
            try program.run(
                program.bench(["--output", run.path, "--time-budget", "0.000001", "--commit", "feature/login"])
            ).code == 0)
        let record = try run.record()
        #expect(record.id.hasSuffix("-feature-logi") && record.commit == "feature/login")
    }

    @Test func `a run goes on only as what it was`() throws {
        // No time at all: a run in which nothing has been measured yet.
        #expect(try program.run(program.bench(["--output", run.path, "--time-budget", "0.000001"])).code == 0)
        #expect(try run.record().ending == .outOfTime)
        for (change, message) in [
            (["--commit", "d"], "the commit was c and is d"), (["--seed", "2"], "the seed was 1 and is 2"),
            (["--profile", "quick", "--sizes", "60"], "the profile was smoke and is quick"),
            (["--pairs", "4"], "the plan differs for control, match-rare/entries=60"),
            (["--filter", "exact/"], "the plan differs for exact/entries=60"),
            (["--shard", "1/1", "--sizes", "70"], "the corpus was generated/entries=60"),
        ] {
            // Of an option that is given twice the last one counts; of filters both do.
            let refused = try program.run(program.bench(["--resume", run.path] + change))
            #expect(refused.code == 2 && refused.errors.contains(message), "\(refused.errors)")
            #expect(refused.errors.contains("it was begun with: soup bench"))
        }
        let record = try String(contentsOfFile: run.recordPath, encoding: .utf8)
        let fingerprint = try run.record().fingerprint
        try record.replacingOccurrences(of: fingerprint, with: "0123456789ab").write(
            toFile: run.recordPath, atomically: true, encoding: .utf8)
        let elsewhere = try program.run(program.bench(["--resume", run.path]))
        #expect(
            elsewhere.code == 2
                && elsewhere.errors.contains("the kind of machine was 0123456789ab and is \(fingerprint)"))
        let nothing = try program.run(program.bench(["--resume", folder.file("nothing")]))
        #expect(nothing.code == 2 && nothing.errors.contains("holds no run that can be resumed"))
        #expect(try program.run(program.bench(["--resume", run.path, "--output", run.path])).code == 2)
        #expect(try run.samples().isEmpty, "a refusal writes nothing")
    }

    /// Both looks of a run that compares this build with itself: the second look is resumed by its own blocks.
    @Test func `blocks of the second look are not measured twice`() throws {
        let cells = SoupCells().cells(CellScope(profile: Profile(.smoke))).filter { $0.workload == "retrieve" }
        var planned = PlannedCell(try #require(cells.first), profile: Profile(.smoke))
        planned.blocks = 2
        let finished = ManifestTests.blocks(planned.cell.id, 1_000..<1_001, .second)
        let setting = RunSetting(
            scope: CellScope(profile: Profile(.smoke)), executable: SoupProgram.path, workerArguments: ["bench-worker"],
            dataFolder: folder.file("data"))
        var measured: [Int] = []
        let ending = try Runner(setting, finished: finished).run([planned], look: .second) {
            measured += Set($0.map(\.block))
        }
        #expect(ending == .complete && measured == [1_001])
    }

    /// Whether a whole block or one measurement is there twice: pairs of such samples would count double.
    @Test(arguments: [true, false]) func `a run with samples twice does not go on`(isWholeBlock: Bool) throws {
        #expect(try program.run(program.bench(["--output", run.path, "--time-budget", "0.000001"])).code == 0)
        let block = ManifestTests.blocks("control", 0..<1)
        let doubled = isWholeBlock ? block + block : [block[0]] + block
        try append(SamplesFile.rows(doubled, run: try run.record().id))
        let refused = try program.run(program.bench(["--resume", run.path]))
        #expect(
            refused.code == 2 && refused.errors.contains("holds samples of block 0 of control twice"),
            "\(refused.errors)")
    }

    private func append(_ bytes: [UInt8]) throws { try OpenFile(run.samplesPath, .appending).append(bytes) }
}
