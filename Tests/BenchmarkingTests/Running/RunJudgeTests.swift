import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// A run that compares this build with another one, with planted samples.
struct RunJudgeTests {
    static func planned(_ workload: String = "planted", builds: [String] = ["old"]) throws -> PlannedCell {
        let cell = Cell.planted(workload)
        return try #require(PlannedCell(cell, profile: Profile(.full)).beside(builds: builds, arms: [.plain, .cipher]))
    }

    /// Samples of one look: the arms take 20 ms of both clocks, times the factors given for this build's; the elapsed
    /// time is disturbed by `stall`.
    static func samples(
        _ planned: PlannedCell, _ look: Sample.Look = .first, pairs: Int, arms: [Arm]? = nil, plain: Double = 1,
        cipher: Double = 1,
        stall: (Int) -> Double = { _ in 1 }
    ) -> [Sample] {
        let arms = arms ?? planned.arms
        var planted = PlantedSamples(planned.cell, look: look, order: arms)
        for block in 0..<pairs {
            for (slot, arm) in arms.enumerated() {
                let factor = arm == .plain ? plain : arm == .cipher ? cipher : 1
                let time = 20_000_000 * factor * (1 + Double(block % 7) * 0.001)
                planted.add(arm, block: block, slot: slot, .wall, Int(time * stall(block * arms.count + slot)))
                planted.add(arm, block: block, slot: slot, .cpu, Int(time))
            }
        }
        return planted.samples
    }

    @Test func `arms left out of the second look are not missing`() throws {
        let planned = try Self.planned()
        let samples =
            Self.samples(planned, pairs: 20, plain: 1.3)
            + Self.samples(planned, .second, pairs: 30, arms: [.plain, "plain@old"], plain: 1.3)
        let rows = RunJudge([planned], samples: samples).rows()
        #expect(rows.allSatisfy { $0.verdict != .invalid }, "\(rows.map(\.reason))")
        #expect(
            rows.filter { $0.arm == .plain }.map(\.verdict) == [.slower, .slower]
                && rows.filter { $0.arm == .plain }.allSatisfy { $0.stage == 2 })
        #expect(rows.filter { $0.arm == .cipher }.allSatisfy { $0.verdict == .same && $0.stage == 1 })
        // One of the two arms that the second look asked for is missing.
        let torn = samples.filter { !($0.look == .second && $0.block == 3 && $0.arm == .plain) }
        #expect(RunJudge([planned], samples: torn).rows().contains { $0.reason == "a sample is missing in block 3" })
    }

    /// The second look measures one arm of the null row only, and not the other one (`plain-again`).
    @Test func `the null row is not missing from a second look at one of its arms`() throws {
        let cell = Cell.planted(arms: [.plain, .plainAgain], comparisons: [.init(.plain, .plainAgain)])
        let planned = try #require(PlannedCell(cell, profile: Profile(.full)).beside(builds: ["old"], arms: [.plain]))
        #expect(planned.arms == [.plain, "plain@old", .plainAgain])
        let samples =
            Self.samples(planned, pairs: 20) + Self.samples(planned, .second, pairs: 30, arms: [.plain, "plain@old"])
        let rows = RunJudge([planned], samples: samples).rows()
        #expect(rows.count == 4 && rows.allSatisfy { $0.verdict == .same }, "\(rows.map(\.reason))")
    }

    @Test func `only suspects get a second look and those that look slower come first`() throws {
        let planned = try Self.planned()
        let slower = RunJudge([planned], samples: Self.samples(planned, pairs: 20, cipher: 1.3)).suspects()
        #expect(slower.slower.map(\.arms) == [[.cipher, "cipher@old"]] && slower.undecided.isEmpty)
        #expect(RunJudge([planned], samples: Self.samples(planned, pairs: 20)).suspects().slower.isEmpty)
        let few = RunJudge([planned], samples: Self.samples(planned, pairs: 4)).suspects()
        #expect(few.slower.isEmpty && few.undecided.count == 1)
    }

    @Test func `a slower first look alone is not red`() throws {
        let planned = try Self.planned()
        let rows = RunJudge([planned], samples: Self.samples(planned, pairs: 20, plain: 1.3)).rows()
        #expect(rows.allSatisfy { $0.verdict != .slower })
        #expect(rows.contains { $0.reason == "slower at the first look; no second look confirmed it" })
    }

    /// The disk stalls at random for up to the time of the work: the elapsed time decides nothing, the processor time
    /// does.
    @Test func `a slow down behind a stalling disk is found by processor time`() throws {
        let planned = try Self.planned()
        var random = SplitMix(seed: 77)
        let stalls = (0..<200).map { _ in 1 + random.unit() }
        func both(_ plain: Double) -> [Sample] {
            Self.samples(planned, pairs: 20, plain: plain) { stalls[$0 % 200] }
                + Self.samples(planned, .second, pairs: 30, plain: plain) { stalls[($0 + 37) % 200] }
        }
        let rows = RunJudge([planned], samples: both(1.15)).rows().filter { $0.arm == .plain }
        #expect(rows.map(\.metric) == [.wall, .cpu] && rows.map(\.verdict) == [.inconclusive, .slower])
        #expect(RunJudge([planned], samples: both(1)).rows().allSatisfy { $0.verdict != .slower })
    }

    /// `--beside` with one build under two names.
    @Test func `a build made again is compared with its first only and never gates`() throws {
        let planned = try Self.planned(builds: ["old", "old-again"])
        #expect(planned.arms == [.plain, "plain@old", "plain@old-again", .cipher, "cipher@old", "cipher@old-again"])
        #expect(
            planned.comparisons == [
                .init("plain@old", .plain), .init("plain@old", "plain@old-again"), .init("cipher@old", .cipher),
                .init("cipher@old", "cipher@old-again"),
            ])
        #expect(
            planned.comparisons.map(\.isNull) == [false, true, false, true]
                && planned.comparisons.map(RunJudge.gates) == [true, false, true, false])
        // Two builds of different sources are both compared with this one.
        #expect(
            try Self.planned(builds: ["old", "older"]).comparisons.map(RunJudge.gates) == [true, true, true, true])
    }

    /// Many cells whose two builds of one source differ by a few per cent: a row of the other source that differs as
    /// much is not slower, and the run is valid.
    @Test func `rows must differ by more than two builds of one source`() throws {
        var cells: [PlannedCell] = []
        var samples: [Sample] = []
        for number in 0..<12 {
            let planned = try Self.planned("planted-\(number)", builds: ["old", "old-again"])
            cells.append(planned)
            for (look, pairs) in [(Sample.Look.first, 20), (.second, 30)] {
                samples += Self.samples(planned, look, pairs: pairs, plain: number == 0 ? 1.09 : number == 1 ? 1.4 : 1)
                    .map { sample in
                        var sample = sample
                        if sample.arm.build == "old-again" {
                            let factor = number % 2 == 0 ? 1.04 : 0.96
                            sample.value = sample.value.map { Int(Double($0) * factor) }
                        }
                        return sample
                    }
            }
        }
        let rows = RunJudge(cells, samples: samples).rows()
        let slower = rows.filter { $0.verdict == .slower && RunJudge.gates(.init($0.baseArm, $0.arm)) }
        #expect(Set(slower.map(\.cellID)) == [cells[1].cell.id] && RunJudge.faults(in: rows).isEmpty)
        #expect(rows.allSatisfy { !RunJudge.gates(.init($0.baseArm, $0.arm)) || $0.margin.share > 0.09 })
        // Without the second build of the old source the same row is red.
        let alone = try Self.planned("planted-0")
        let both = Self.samples(alone, pairs: 20, plain: 1.09) + Self.samples(alone, .second, pairs: 30, plain: 1.09)
        #expect(RunJudge([alone], samples: both).rows().contains { $0.verdict == .slower })
    }

    @Test func `one source built twice that differs in both looks makes the run invalid`() throws {
        let planned = try Self.planned(builds: ["old", "old-again"])
        let again: Arm = "plain@old-again"
        func samples(_ look: Sample.Look, pairs: Int, factor: Double) -> [Sample] {
            Self.samples(planned, look, pairs: pairs, arms: look == .second ? ["plain@old", again] : nil).map {
                sample in
                var sample = sample
                if sample.arm == again {
                    sample.value = sample.value.map { Int(Double($0) * factor) }
                }
                return sample
            }
        }
        let first = samples(.first, pairs: 20, factor: 1.16)
        let suspects = RunJudge([planned], samples: first).suspects()
        #expect(suspects.slower.map(\.arms) == [["plain@old", again]] && suspects.undecided.isEmpty)
        let confirmed = RunJudge([planned], samples: first + samples(.second, pairs: 30, factor: 1.15)).rows()
        let faults = RunJudge.faults(in: confirmed)
        #expect(
            faults.count == 1
                && faults.first?.contains(
                    "the null row moved, plain@old-again / plain@old is 1.16: one source built twice") == true
        )
        let cleared = RunJudge([planned], samples: first + samples(.second, pairs: 30, factor: 1)).rows()
        #expect(
            RunJudge.faults(in: cleared).isEmpty
                && cleared.contains { $0.arm == again && $0.reason == "moved at the first look only" })
        #expect(
            RunJudge.faults(in: RunJudge([planned], samples: samples(.first, pairs: 20, factor: 1.01)).rows()).isEmpty)
    }

    @Test func `only the arms asked for remain with the comparisons of which both sides do`() throws {
        let cell = Cell.planted(
            "ways", arms: [.plain, .cipherOff, .cipher, .plainAgain, "floor"],
            comparisons: Cell.Comparison.backends + [.init(.plain, .plainAgain), .init("floor", .plain)])
        let planned = PlannedCell(cell, profile: Profile(.quick))
        let two = try #require(planned.only(arms: ["cipher-off", "cipher"]))
        #expect(two.arms == [.cipherOff, .cipher] && two.comparisons == [.init(.cipherOff, .cipher)])
        // An arm that is kept keeps its null row.
        let plain = try #require(planned.only(arms: ["plain"]))
        #expect(plain.arms == [.plain, .plainAgain] && plain.comparisons == [.init(.plain, .plainAgain)])
        #expect(planned.only(arms: ["passphrase"]) == nil && planned.only(arms: [])?.arms == cell.arms)
        let ways = Cell.planted(
            "w", arms: Arm.all("string", "json1"), comparisons: Cell.Comparison.ways("string", "json1"))
        let cipher = try #require(PlannedCell(ways, profile: Profile(.quick)).only(arms: ["cipher"]))
        #expect(cipher.arms == ["cipher/string", "cipher/json1"] && cipher.comparisons.count == 1)
        let control = Cell.planted(Control.workload, comparisons: [])
        #expect(PlannedCell(control, profile: Profile(.quick)).only(arms: ["floor"])?.arms == [.plain, .cipher])
    }

    @Test(
        arguments: [(["cell-1"], 3), (["^cell-1$"], 2), (["[01]$"], 3), (["PERF"], 1), (["("], 1), ([], 4)]
            as [([String], Int)])
    func `cells are chosen by text or by regular expression and the control stays`(filter: [String], count: Int) throws
    {
        let cells = try ["control", "cell-0", "cell-1", "cell-12"].map { try Self.planned($0) }
        #expect(PlannedCell.filter(cells, filter).count == count)
    }

    // MARK: - Lists and the suite as a whole

    /// Fifteen cells with two arms: pairs have 5 % noise with outliers, and every row has an offset of its own that
    /// repeating does not remove.
    private static func many(
        change: Double, seed: UInt64, cells: Int = 15
    ) throws -> (cells: [PlannedCell], samples: [Sample]) {
        var random = SplitMix(seed: seed)
        let planned = try (0..<cells).map { try Self.planned("cell-\($0)") }
        var samples: [Sample] = []
        for planned in planned {
            var planted = PlantedSamples(planned.cell)
            for arm in [Arm.plain, .cipher] {
                let ratios = Simulated.session(pairs: 20, change: Simulated.log(change), &random)
                for (block, ratio) in ratios.enumerated() {
                    let times = [(arm.on(build: "old"), 1), (arm, Exponential.exp(ratio))]
                    for (slot, (arm, factor)) in times.enumerated() {
                        planted.add(arm, block: block, slot: slot, .wall, Int(20_000_000 * factor))
                        planted.add(arm, block: block, slot: slot, .cpu, Int(20_000_000 * factor))
                    }
                }
            }
            samples += planted.samples
        }
        return (planned, samples)
    }

    @Test func `a small change of all rows is found though no row alone is red`() throws {
        let seed: UInt64 = 606
        let slower = try Self.many(change: 1.07, seed: seed)
        let judge = RunJudge(slower.cells, samples: slower.samples)
        #expect(!judge.rows().contains { $0.verdict == .slower }, "seed \(seed)")
        let suite = judge.suite()
        #expect(suite.map(\.what) == ["wall against old", "cpu against old"])
        #expect(suite.allSatisfy { $0.isRegression && $0.rows == 30 }, "\(suite)")
        let same = try Self.many(change: 1, seed: seed)
        let unchanged = RunJudge(same.cells, samples: same.samples).suite()
        #expect(unchanged.allSatisfy { $0.verdict == .same && !$0.isRegression }, "\(unchanged)")
        #expect(DifferenceTable.suite(unchanged).first?.hasSuffix("over 30 rows, same") == true)
    }

    @Test func `a suite of few rows is informational`() throws {
        let few = try Self.many(change: 1.3, seed: 1, cells: 4)
        let suite = RunJudge(few.cells, samples: few.samples).suite()
        #expect(suite.allSatisfy { $0.verdict == .slower && !$0.isRegression && $0.rows == 8 })
        #expect(DifferenceTable.suite(suite).first?.hasSuffix("slower, informational") == true)
    }

    @Test func `differences to another build are listed with the share of chance`() throws {
        let planned = try Self.planned()
        let rows = RunJudge([planned], samples: Self.samples(planned, pairs: 20, cipher: 0.7)).rows()
        let listed = rows.filter(\.isListed)
        #expect(
            listed.count == 2
                && listed.allSatisfy { $0.arm == .cipher && $0.verdict == .faster && ($0.chanceShare ?? 1) < 0.001 })
        #expect(rows.filter { $0.arm == .plain }.allSatisfy { $0.chanceShare == 1 })
        #expect(DifferenceTable.make(rows)?.text.contains("< 0.1 %  faster") == true)
        #expect(DifferenceTable.make(RunJudge([planned], samples: Self.samples(planned, pairs: 20)).rows()) == nil)
    }

    @Test func `the control row is judged at once and never a suspect`() throws {
        let control = try Self.planned(Control.workload)
        let judge = RunJudge([control], samples: Self.samples(control, pairs: 20, cipher: 1.3))
        #expect(judge.suspects().slower.isEmpty && judge.suspects().undecided.isEmpty)
        #expect(judge.rows().contains { $0.arm == .cipher && $0.metric == .wall && $0.verdict == .slower })
        #expect(RunJudge.faults(in: judge.rows()).count == 1)
        #expect(RunJudge.faults(in: RunJudge([control], samples: Self.samples(control, pairs: 20)).rows()).isEmpty)
    }

    @Test(arguments: [(1.0, false), (1.2, false), (1.6, true), (0.5, true)])
    func `a control that drifts far makes the run invalid`(end: Double, isFault: Bool) throws {
        let control = try Self.planned(Control.workload)
        let samples = Self.samples(control, pairs: 12) { 1 + (end - 1) * Double($0) / 23 }
        #expect((ControlDrift.fault(samples) != nil) == isFault)
        // Both arms drift alike, so the ratios are valid.
        #expect(RunJudge.faults(in: RunJudge([control], samples: samples).rows()).isEmpty)
        #expect(ControlDrift.measured(Self.samples(control, pairs: 5)) == nil)
    }
}

struct InterruptedRunTests {
    @Test func `a run that ends early is judged by what it reached`() throws {
        let folder = try TemporaryFolder()
        let scope = CellScope(profile: Profile(.smoke))
        let cells = SoupCells().cells(scope).prefix(3).map { PlannedCell($0, profile: scope.profile) }
        let setting = RunSetting(
            scope: scope, executable: "/nowhere", workerArguments: [], dataFolder: folder.file("data"))
        // No time at all: no worker is started, and what was not measured is not a fault.
        let run = BenchmarkRun(
            catalogue: SoupCells(), setting: setting, plan: ShardPlan(undivided: cells),
            folder: RunFolder(path: folder.file("run")),
            timeBudget: 0, commandLine: ["soup"], commit: "c")
        let outcome = try run.run { _ in }
        #expect(outcome.record.ending == .outOfTime && outcome.rows.isEmpty && outcome.record.faults.isEmpty)
        #expect(try StoredReport(folder: folder.file("run")).record.ending == .outOfTime)
        #expect(throws: Fault.self) {
            try Baselines(folder: folder.file("Reports")).accept(RunFolder(path: folder.file("run")))
        }
        // In a complete run, the same cells without samples are faults.
        #expect(RunJudge.faults(in: RunJudge(cells, samples: []).rows()).count == 3)
    }
}

struct ProcessMemoryTests {
    @Test func `growth is the peak beyond the start`() throws {
        let memory = ProcessMemory()
        let before = try #require(memory.growth)
        let bytes = [UInt8](repeating: 1, count: 200_000_000)
        #expect(bytes[bytes.count / 2] == 1)
        let after = try #require(memory.growth)
        #expect(after >= max(before, 180_000_000))
    }
}
