import Foundation
import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Shards of one run with planted samples, and the run that results from joining them.
struct MergedRunTests {
    private static let scope = CellScope(profile: Profile(.smoke), seed: 5)
    private static let workloads = ["control", "retrieve", "exact", "range-page", "match-rare", "delete"]
    private static let cells = SoupCells().cells(scope).filter { workloads.contains($0.workload) }.map { cell in
        var planned = PlannedCell(cell, profile: Profile(.quick))
        planned.blocks = 10
        return planned
    }

    /// Ten pairs of each cell of a shard; if another build takes part, also a second look at some.
    private static func samples(_ cells: [PlannedCell], _ shard: Shard, slower: Set<String> = []) -> [Sample] {
        var samples: [Sample] = []
        for planned in cells {
            let cell = planned.cell
            let isSlower = slower.contains(cell.workload)
            var random = SplitMix(
                seed: UInt64(cell.id.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF) &+ UInt64(planned.firstBlock))
            let looks = [(Sample.Look.first, planned.blocks)] + (isSlower ? [(.second, 15)] : [])
            for (look, blocks) in looks {
                var planted = PlantedSamples(cell, look: look, shard: shard, order: planned.arms)
                for round in 0..<blocks {
                    let block = planned.blockNumber(round, look)
                    for arm in planned.arms {
                        let factor = isSlower && arm.build == nil ? 1.3 : 1.0
                        let time = 20_000_000 * factor * (0.99 + 0.02 * random.unit())
                        planted.add(arm, block: block, .wall, Int(time))
                        planted.add(arm, block: block, .cpu, Int(time * 0.9))
                        planted.add(arm, block: block, .vmSteps, 500)
                    }
                    planted.add(.blockTime, of: .none, block: block, 250_000_000)
                }
                samples += planted.samples
            }
        }
        return samples
    }

    private struct Change {
        var commit = "c", seed: UInt64 = 5, fingerprint = "f", libraries = "l", profile = Profile.Name.smoke
        var ending = Runner.Ending.complete, faults: [String] = []
        var samples: (inout [Sample]) -> Void = { _ in }
    }

    /// Writes a shard's folder as a run leaves it.
    @discardableResult
    private static func write(
        _ plan: ShardPlan, _ shard: Shard, to folder: RunFolder, slower: Set<String> = [], change: Change = Change()
    ) throws -> [Sample] {
        let own = plan.cells(of: shard)
        var samples = samples(own, shard, slower: slower)
        change.samples(&samples)
        let record = RunRecord(
            id: "run-\(shard.number)", startedUTC: "2026-01-0\(shard.number)T00:00:00Z", commit: change.commit,
            profile: change.profile, seed: change.seed, shard: shard,
            commandLine: ["soup"], fingerprint: change.fingerprint, libraries: change.libraries,
            cellVersions: own.map { (id: $0.cell.id, version: $0.cell.version) }, corpora: SoupCells().corpora(scope),
            ending: change.ending, seconds: 10,
            faults: change.faults,
            details: JSONObject([("machine", ["processor": "p"]), ("control_drift", .number(JSONNumber(Int64(1))))]))
        let rows = RunJudge(own, samples: samples).rows()
        try folder.begin()
        try folder.write(record, Manifest(plan).delivered(FinishedBlocks(samples), by: shard))
        try folder.finish(
            record, rows: rows, samples: samples, claims: ClaimsOutcome(own.map(\.cell), rows: rows, samples: samples))
        return samples
    }

    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func path(_ shard: Shard, _ suffix: String = "") -> String {
        folder.file("shard-\(shard.number)-of-\(shard.count)\(suffix)")
    }

    /// Writes all shards of a plan; returns their samples.
    private func writeAll(_ plan: ShardPlan, slower: Set<String> = []) throws -> [Sample] {
        try Shard.all(of: plan.count).flatMap {
            try Self.write(plan, $0, to: RunFolder(path: path($0)), slower: slower)
        }
    }

    private func merged(_ shards: [String]) throws -> MergedRun {
        try MergedRun(
            try ShardSet(folders: shards), catalogue: SoupCells(), documents: nil, commandLine: ["soup", "merge"])
    }

    private func refusal(_ shards: [String]) -> String {
        let fault = #expect(throws: Fault.self) { try merged(shards) }
        #expect(fault?.code == .invalidArguments)
        return fault?.message ?? ""
    }

    @Test(arguments: [1, 2, 4])
    func `the summary is that of an undivided run on the same samples`(count: Int) throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: count)
        let samples = try writeAll(plan)
        // In any order.
        let run = try merged(Shard.all(of: count).reversed().map { path($0) })
        #expect(run.cells.map(\.cell.id) == Self.cells.map(\.cell.id))
        // The same samples as one run would have delivered them: cell by cell.
        let undivided = Self.cells.flatMap { planned in samples.filter { $0.cellID == planned.cell.id } }
        let expected = RunJudge(Self.cells, samples: undivided).rows()
        #expect(run.outcome.rows == expected && expected.count > 20)
        // Cells that one shard measured have the rows of a run that was never divided.
        let whole = RunJudge(Self.cells, samples: Self.samples(Self.cells, .whole)).rows()
        let shared = ["control", "retrieve"]
        #expect(
            run.outcome.rows.filter { !shared.contains($0.workload) } == whole.filter { !shared.contains($0.workload) })
        // For the others the blocks of all shards count.
        #expect(
            run.outcome.rows.filter { shared.contains($0.workload) && $0.metric == .wall }.allSatisfy {
                $0.estimate?.pairs == 10 * count
            })
        #expect(run.outcome.record.faults.isEmpty && run.outcome.record.seconds == Double(10 * count))
    }

    @Test func `a merged run is a whole run's folder`() throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: 2)
        let samples = try writeAll(plan)
        let run = try merged(Shard.all(of: 2).map { path($0) })
        let out = RunFolder(path: folder.file("merged"))
        try run.write(to: out)
        let record = try out.record()
        #expect(
            record.shard == .whole && record.ending == .complete && record.id == "run-1-merged"
                && record.startedUTC == "2026-01-01T00:00:00Z")
        #expect(
            record.details["shards"]?.array?.map { $0["shard"]?.string } == ["1/2", "2/2"]
                && record.details["machine"] != nil)
        #expect(try out.rows() == run.outcome.rows && out.samples() == samples)
        let manifest = try out.manifest()
        #expect(manifest.differences(from: Manifest(plan)).isEmpty)
        #expect(manifest.rows.allSatisfy { $0.deliveredPairs == 10 && $0.secondPairs == 0 && $0.seconds == 2.5 })
        for name in ["claims.csv", "growth.csv"] {
            #expect(try !out.read(name).isEmpty)
        }
        // The joined run can be accepted, and then gives the costs of cells; one folder holds only one run.
        try Baselines(folder: folder.file("Reports")).accept(out)
        #expect(try CostTable.stored(in: folder.file("Reports")).measured("exact/entries=60")?.seconds == 0.25)
        #expect(throws: Fault.self) { try run.write(to: out) }
    }

    /// Two cells of different shards were slower: their probabilities are corrected for each other.
    @Test func `second looks of all shards are corrected together`() throws {
        let cells = Self.cells.compactMap { $0.beside(builds: ["old", "old-again"], arms: [.plain, .cipher]) }
        let plan = try ShardPlan(cells, costs: CostTable(), shards: 2)
        let slower: Set<String> = ["exact", "match-rare"]
        let owners = Set(plan.entries.filter { slower.contains($0.planned.cell.workload) }.map(\.shard))
        #expect(owners.count == 2, "in different shards")
        let samples = try writeAll(plan, slower: slower)
        let run = try merged(Shard.all(of: 2).map { path($0) })
        #expect(run.cells.map(\.arms) == cells.map(\.arms))
        let judge = RunJudge(cells, samples: samples)
        #expect(run.outcome.rows == judge.rows())
        #expect(run.outcome.record.suite.count == judge.suite().count && !run.outcome.record.suite.isEmpty)
        let red = run.outcome.rows.filter { $0.stage == 2 }
        #expect(!red.isEmpty && red.allSatisfy { $0.verdict == .slower } && run.outcome.conclusion == .regression)
        let alone = try RunFolder(path: path(Shard(1, of: 2) ?? .whole)).rows().filter { $0.stage == 2 }
        for row in alone {
            #expect((red.first { $0.key == row.key }?.correctedProbability ?? 0) > (row.correctedProbability ?? 1))
        }
    }

    @Test func `a shard that is missing or there twice is named with its cells`() throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: 2)
        _ = try writeAll(plan)
        let both = Shard.all(of: 2).map { path($0) }
        let second = plan.cells(of: Shard(2, of: 2) ?? .whole).map(\.cell.id).joined(separator: ", ")
        #expect(refusal([both[0]]) == "shard 2/2 is missing, and with it \(second)")
        #expect(
            refusal(both + [both[1]]).contains(
                "shard 2/2 is there 2 times (\(both[1]), \(both[1])), and with it \(second)"))
        #expect(refusal([]).contains("name the folders"))
    }

    @Test func `a shard of another run is refused`() throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: 2)
        let shards = Shard.all(of: 2)
        try Self.write(plan, shards[0], to: RunFolder(path: path(shards[0])))
        let changes: [(Change, String)] = [
            (Change(commit: "d"), "commit: c, and d"), (Change(seed: 6), "seed: 5, and 6"),
            (Change(fingerprint: "g"), "kind of machine: f, and g"),
            (Change(libraries: "m"), "libraries: l, and m"), (Change(profile: .full), "profile: smoke, and full"),
        ]
        for (index, (change, message)) in changes.enumerated() {
            let other = path(shards[1], "-\(index)")
            try Self.write(plan, shards[1], to: RunFolder(path: other), change: change)
            #expect(refusal([path(shards[0]), other]).contains(message))
        }
        // Another number of pairs for one cell; another number of shards.
        var cells = Self.cells
        cells[2].blocks = 9
        let foreign = path(shards[1], "-foreign")
        let third = Shard.all(of: 3)[1]
        try Self.write(try ShardPlan(cells, costs: CostTable(), shards: 2), shards[1], to: RunFolder(path: foreign))
        #expect(
            refusal([path(shards[0]), foreign]).hasSuffix("are of different plans; they differ in \(cells[2].cell.id)"))
        try Self.write(
            try ShardPlan(Self.cells, costs: CostTable(), shards: 3), third, to: RunFolder(path: path(third)))
        #expect(refusal([path(shards[0]), path(third)]).contains("number of shards: 2, and 3"))
    }

    @Test func `a shard that holds less, more or other cells than planned is refused`() throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: 2)
        let shards = Shard.all(of: 2)
        try Self.write(plan, shards[0], to: RunFolder(path: path(shards[0])))
        let own = try #require(plan.cells(of: shards[1]).last?.cell.id)
        let foreign = try #require(plan.cells(of: shards[0]).last?.cell.id)
        let changes: [(Change, String)] = [
            (
                Change(samples: { $0.removeAll { $0.cellID == own && $0.block == 3 } }),
                "lacks block 3 of \(own)"
            ),
            (
                Change(samples: { $0.removeAll { $0.cellID == own && $0.remark == .blockTime } }),
                "lacks block 0 of \(own), and 9 more"
            ),
            (
                Change(samples: { $0.append(contentsOf: $0.filter { $0.cellID == own && $0.block == 3 }) }),
                "holds block 3 of \(own) twice"
            ),
            (
                Change(samples: {
                    $0 = $0.map {
                        var one = $0
                        if one.cellID == own { one.cellID = foreign }
                        return one
                    }
                }), "holds samples of \(foreign), which is not one of its cells"
            ),
            (Change(ending: .interrupted), "is not complete (interrupted); continue it: soup bench --resume"),
        ]
        for (index, (change, message)) in changes.enumerated() {
            let other = path(shards[1], "-\(index)")
            try Self.write(plan, shards[1], to: RunFolder(path: other), change: change)
            #expect(refusal([path(shards[0]), other]).contains(message))
        }
    }

    @Test func `a shard that is not valid is named and counts for nothing`() throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: 2)
        let shards = Shard.all(of: 2)
        try Self.write(plan, shards[0], to: RunFolder(path: path(shards[0])))
        try Self.write(
            plan, shards[1], to: RunFolder(path: path(shards[1])),
            change: Change(faults: ["control: the control row moved"]))
        let set = try ShardSet(folders: shards.map { path($0) })
        #expect(
            set.faults == ["shard 2/2 (\(path(shards[1]))): control: the control row moved; measure this shard again"])
        #expect(throws: Fault.self) { try MergedRun(set, catalogue: SoupCells(), documents: nil, commandLine: []) }
    }

    @Test func `a program that knows the cells otherwise refuses`() throws {
        let plan = try ShardPlan(Self.cells, costs: CostTable(), shards: 1)
        _ = try writeAll(plan)
        let manifest = path(.whole) + "/manifest.csv"
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        let version = try #require(Self.cells.first?.cell.version)
        try text.replacingOccurrences(of: version, with: "0123456789ab").write(
            toFile: manifest, atomically: true, encoding: .utf8)
        #expect(refusal([path(.whole)]).contains("this program has no cell control of the definition 0123456789ab"))
    }
}

/// The commands, on the built program.
@Suite(.serialized, .enabled(if: SoupProgram.exists, "the program soup was not built"))
struct ShardCommandTests {
    let folder: TemporaryFolder
    let program: BenchProgram

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
    }

    private func bench(_ shard: String, _ more: [String] = []) -> [String] {
        program.bench(
            [
                "--filter", "exact/", "--pairs", "2", "--shard", shard, "--output",
                folder.file("shard-" + shard.prefix(1)),
            ] + more)
    }

    @Test func `two shards make one run`() throws {
        let options = [
            "--profile", "smoke", "--filter", "match-rare/", "--filter", "exact/", "--pairs", "2", "--costs",
            folder.file("none"),
        ]
        let planned = try program.run(["plan", "--shards", "2"] + options)
        #expect(
            planned.code == 0 && planned.errors.contains("plan: shard 2/2: 2 cells; how long they take is not known"))
        #expect(
            try ManifestFile.read(Array(planned.output.utf8)).rows.map { "\($0.cellID) \($0.shard)" } == [
                "control 1/2", "control 2/2", "exact/entries=60 1/2", "match-rare/entries=60 2/2",
            ])
        #expect(try program.run(["plan", "--shards", "2"] + options).output == planned.output)

        let first = try program.run(bench("1/2"))
        #expect(first.code == 0 && first.output.contains(": shard 1/2, profile smoke"))
        let missing = try program.run(["merge", folder.file("shard-1"), "--output", folder.file("merged")])
        #expect(
            missing.code == 2
                && missing.errors.contains("shard 2/2 is missing, and with it control, match-rare/entries=60"))
        #expect(try program.run(bench("2/2")).code == 0)
        let merged = try program.run([
            "merge", folder.file("shard-2"), folder.file("shard-1"), "--output", folder.file("merged"),
        ])
        #expect(merged.code == 0, "\(merged.errors)")
        let run = RunFolder(path: folder.file("merged"))
        #expect(try run.manifest().rows.map(\.deliveredPairs) == [2, 2, 2, 2] && run.record().shard == .whole)
        #expect(try Set(run.samples().filter { $0.cellID == "control" }.map(\.block)) == [0, 1, 10_000, 10_001])
        #expect(try program.run(["report", "write", run.path]).code == 0)
    }

    @Test func `a shard that is not valid ends the merge with three`() throws {
        #expect(try program.run(bench("1/1")).code == 0)
        let run = RunFolder(path: folder.file("shard-1"))
        var record = try run.record()
        record.faults = ["control: the control drifted"]
        try run.write(record, try run.manifest())
        let merged = try program.run(["merge", run.path, "--output", folder.file("merged")])
        #expect(
            merged.code == 3 && merged.errors.contains("INVALID: shard 1/1")
                && merged.errors.contains("measure this shard again"))
        #expect(!Folders.exists(folder.file("merged")))
    }

    @Test func `more shards than cells and what is no shard are wrong usage`() throws {
        #expect(try program.run(bench("1/3")).errors.contains("there are 2 cells to deal out to 3 shards"))
        #expect(try program.run(bench("3/2")).code == 2)
        #expect(try program.run(["merge", "--output", folder.file("merged")]).code == 2)
        #expect(try program.run(["merge", folder.file("nothing"), "--output", folder.file("merged")]).code == 2)
    }

    /// The loop over shards on one machine, as in ci/.
    @Test func `the loop over shards measures merges and leaves finished shards alone`() throws {
        func loop(_ more: [String] = []) throws -> BenchProgram.Ended {
            try program.run(
                [TestData.packageRoot + "/ci/shards", "2"]
                    + program.bench(["--filter", "exact/", "--pairs", "2"] + more).dropFirst(), of: "/bin/bash",
                environment: ["SOUP": SoupProgram.path, "SOUP_SHARDS": folder.file("shards")])
        }
        let first = try loop()
        #expect(first.code == 0, "\(first.errors)")
        let merged = RunFolder(path: folder.file("shards/merged"))
        #expect(try merged.manifest().rows.map(\.deliveredPairs) == [2, 2, 2, 2])
        // Again, with one unfinished shard: only that one is continued, and the merged run is written again.
        let shard = RunFolder(path: folder.file("shards/shard-2"))
        let one = try RunFolder(path: folder.file("shards/shard-1")).read("samples.csv")
        let before = try shard.samples()
        var record = try shard.record()
        record.ending = .interrupted
        try shard.write(record, try shard.manifest())
        try shard.rewrite(before.filter { $0.cellID != "match-rare/entries=60" || $0.block == 0 }, run: record.id)
        let second = try loop()
        #expect(second.code == 0, "\(second.errors)")
        #expect(try RunFolder(path: folder.file("shards/shard-1")).read("samples.csv") == one)
        let kept = before.filter { $0.cellID != "match-rare/entries=60" || $0.block == 0 }.map(\.process)
        #expect(try Set(shard.samples().map(\.process)).isSuperset(of: kept) && shard.record().ending == .complete)
        #expect(try merged.samples().count(where: { $0.remark == .blockTime }) == 8)
        let other = try loop(["--seed", "2"])
        #expect(other.code == 2 && other.errors.contains("holds shards of another commit, number or choice of cells"))
    }
}
