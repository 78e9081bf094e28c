import Soups
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// When a claim holds, and when nothing can be said.
struct ClaimTests {
    private static func claim(_ expectation: Claim.Expectation) -> Claim {
        Claim("PERF-0", "planted", backend: "plain", expectation)
    }

    private static func estimate(_ low: Double, _ high: Double) -> RatioEstimate {
        RatioEstimate(ratio: (low + high) / 2, interval: .init(low: low, high: high, level: 0.95), pairs: 10)
    }

    @Test(arguments: [
        (11.0, 12.0, Claim.Finding.holds), (9.0, 12.0, .inconclusive), (8.0, 9.9, .doesNotHold), (10.0, 10.0, .holds),
    ])
    func `the whole interval decides not the estimate`(low: Double, high: Double, finding: Claim.Finding) {
        #expect(
            Self.claim(.slower(base: "a", arm: "b", atLeast: 10)).finding(ratio: Self.estimate(low, high)) == finding)
    }

    @Test func `bounds hold on both sides`() {
        let atMost = Self.claim(.ratio(base: "a", arm: "b", atMost: 2))
        let within = Self.claim(.within(base: "a", arm: "b", 0.8...1.25))
        #expect(
            atMost.finding(ratio: Self.estimate(1.5, 1.9)) == .holds
                && atMost.finding(ratio: Self.estimate(2.1, 2.2)) == .doesNotHold)
        #expect(
            within.finding(ratio: Self.estimate(0.9, 1.2)) == .holds
                && within.finding(ratio: Self.estimate(0.5, 0.7)) == .doesNotHold)
        #expect(within.finding(ratio: Self.estimate(0.7, 0.9)) == .inconclusive)
    }

    @Test func `without an interval nothing holds`() {
        let few = RatioEstimate(ratio: 100, interval: nil, pairs: 4)
        #expect(Self.claim(.slower(base: "a", arm: "b", atLeast: 10)).finding(ratio: few) == .inconclusive)
        #expect(Self.claim(.slower(base: "a", arm: "b", atLeast: 10)).finding(ratio: nil) == .inconclusive)
    }

    @Test func `a cost is kept by nearly all samples or broken by half`() {
        let claim = Self.claim(.cost(arm: "a", atMost: 100))
        #expect(claim.finding(median: 50, p95: 99) == .holds)
        #expect(claim.finding(median: 50, p95: 120) == .inconclusive)
        #expect(claim.finding(median: 101, p95: 120) == .doesNotHold)
        #expect(claim.finding(median: nil, p95: nil) == .inconclusive)
    }

    // MARK: - Growth

    /// Blocks at the sizes 1,000, 10,000 and 100,000 whose time per unit grows by the exponent, each with a little
    /// noise of its own.
    static func growing(
        _ exponent: Double, blocks: Int, sizes: [Int] = [1_000, 10_000, 100_000], claims: [Claim] = []
    ) -> (cells: [Cell], samples: [Sample]) {
        let cells = sizes.map { size in
            Cell.planted(
                "grown", ["entries": String(size)], arms: ["plain/a", "plain/b"],
                comparisons: [.init("plain/a", "plain/b")], claims: claims)
        }
        var samples: [Sample] = []
        for (cell, size) in zip(cells, sizes) {
            var planted = PlantedSamples(cell)
            let growth = Exponential.power(Double(size) / 1_000, exponent)
            for block in 0..<blocks {
                let noise = 1 + 0.01 * Double((block * 7 + size / 1_000) % 5)
                planted.add("plain/a", block: block, .wall, Int(1_000_000 * noise))
                planted.add("plain/b", block: block, .wall, Int(1_000_000 * growth * noise))
            }
            samples += planted.samples
        }
        return (cells, samples)
    }

    private static func curve(_ grown: (cells: [Cell], samples: [Sample])) throws -> GrowthCurve {
        let rows = RunJudge(grown.cells.map { PlannedCell($0, profile: Profile(.quick)) }, samples: grown.samples)
            .rows()
        return try #require(
            GrowthCurve.all(grown.cells, rows: rows, samples: grown.samples).first { $0.arm == "plain/b" })
    }

    @Test(arguments: [0.0, 0.5, 1.0, 2.0])
    func `a planted exponent is found and its interval holds it`(exponent: Double) throws {
        let curve = try Self.curve(Self.growing(exponent, blocks: 8))
        let fit = try #require(curve.fit)
        let interval = try #require(curve.interval)
        #expect(abs(fit.exponent - exponent) < 0.02)
        #expect(
            interval.low < exponent + 0.01 && interval.high > exponent - 0.01 && interval.high - interval.low < 0.05)
        #expect(curve.points.map(\.entries) == [1_000, 10_000, 100_000])
    }

    @Test func `an exponent decides with three sizes and six blocks only`() throws {
        let claim = Self.claim(.growth(arm: "plain/b", 0.8...1.2))
        #expect(claim.finding(growth: try Self.curve(Self.growing(1, blocks: 6))) == .holds)
        #expect(claim.finding(growth: try Self.curve(Self.growing(0.5, blocks: 6))) == .doesNotHold)
        #expect(claim.finding(growth: try Self.curve(Self.growing(1, blocks: 5))) == .inconclusive)
        #expect(
            claim.finding(growth: try Self.curve(Self.growing(1, blocks: 6, sizes: [1_000, 10_000]))) == .inconclusive)
        #expect(claim.finding(growth: nil) == .inconclusive)
    }

    @Test func `an invalid cell bears nothing out`() throws {
        let claims = [
            Claim("PERF-0", "planted", backend: "plain", .slower(base: "plain/a", arm: "plain/b", atLeast: 2))
        ]
        var (cells, samples) = Self.growing(2, blocks: 8, claims: claims)
        func rows() -> [ClaimRow] {
            ClaimRow.all(
                cells, rows: RunJudge(cells.map { PlannedCell($0, profile: Profile(.quick)) }, samples: samples).rows(),
                samples: samples)
        }
        #expect(rows().map(\.finding) == [.doesNotHold, .holds, .holds])
        for index in samples.indices where samples[index].arm == "plain/b" {
            samples[index].digest = "other"
        }
        #expect(rows().map(\.finding) == [.inconclusive, .inconclusive, .inconclusive])
        #expect(rows().allSatisfy { $0.figure == .missing })
    }
}

/// The claims in the catalogue.
struct ClaimCatalogueTests {
    static let cells = SoupCells().cells(CellScope(profile: Profile(.full)))

    /// The guide's statements that are measured, each on both back ends (translating Smart SQL needs no store).
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 22, 23])
    func `every claim of the guide is weighed on every back end`(number: Int) {
        let id = "PERF-" + (number < 10 ? "0" : "") + String(number)
        let backends = Set(Self.cells.flatMap(\.claims).filter { $0.id == id }.map { ByteKey($0.backend) })
        #expect(backends == Set((number == 22 ? ["any"] : ["plain", "cipher"]).map { ByteKey($0) }))
    }

    @Test func `every claim names arms that its cell compares`() {
        for cell in Self.cells {
            for claim in cell.claims {
                switch claim.expectation {
                case .ratio(let base, let arm, _), .slower(let base, let arm, _), .within(let base, let arm, _):
                    #expect(cell.comparisons.contains { $0.base == base && $0.arm == arm }, "\(claim.id) of \(cell.id)")
                case .cost(let arm, _), .growth(let arm, _):
                    #expect(cell.comparisons.contains { $0.base == arm || $0.arm == arm }, "\(claim.id) of \(cell.id)")
                }
            }
        }
    }

    /// Fewer pairs have no interval, and a claim without one is never decided.
    @Test func `every cell with a claim has pairs enough`() {
        for cell in Self.cells where !cell.claims.isEmpty && cell.style != .counted {
            #expect(cell.pairs >= 6 || cell.number("entries") ?? 0 > 100_000, "\(cell.id) has \(cell.pairs)")
        }
    }

    @Test func `claims are found by their number`() {
        let all = Self.cells.map { PlannedCell($0, profile: Profile(.full)) }
        let found = PlannedCell.filter(all, ["PERF-10"])
        #expect(Set(found.map(\.cell.workload)) == ["control", "load-size"])
        let quick = PlannedCell.ofProfile(.quick, all)
        #expect(!quick.contains { $0.cell.workload == "alter" } && quick.contains { $0.cell.workload == "retrieve" })
        #expect(PlannedCell.ofProfile(.full, all).count == all.count)
    }
}

struct AliasPatternTests {
    @Test func `the pattern finds every alias once`() {
        func count(_ text: String) -> Int { AliasPattern.matches(in: Array(text.utf8)) }
        #expect(count("select e.json_extract(soup, '$.a'), f.json_extract(soup, '$.b') from t") == 2)
        #expect(count("select json_extract(e.soup, '$.a') from t") == 0)
        #expect(count(".json_extract(soup") == 0)
        #expect(count("a.json_extract(soup.json_extract(soup") == 1)
        #expect(count("a.json_extract(sou") == 0)
        #expect(count("") == 0)
    }
}
