import Benchmarking
import Testing

struct VerdictTests {
    static func estimate(_ low: Double, _ high: Double) -> RatioEstimate {
        RatioEstimate(ratio: (low * high).squareRoot(), interval: .init(low: low, high: high, level: 0.95), pairs: 20)
    }

    @Test(arguments: [
        (1.06, 1.2, Verdict.slower), (1.04, 1.2, .inconclusive), (0.97, 1.03, .same), (1.01, 1.04, .same),
        (0.8, 0.94, .faster),
        (0.8, 0.96, .inconclusive), (0.5, 2, .inconclusive),
    ])
    func `interval against margin decides`(low: Double, high: Double, verdict: Verdict) {
        #expect(Verdict(Self.estimate(low, high), margin: Margin(0.05)) == verdict)
    }

    @Test func `without interval nothing is said`() {
        #expect(Verdict(nil, margin: Margin(0.05)) == .inconclusive)
        #expect(Verdict(RatioEstimate(ratio: 9, interval: nil, pairs: 5), margin: Margin(0.05)) == .inconclusive)
    }

    @Test func `exact counters are same only when equal`() {
        #expect(Verdict(Self.estimate(1, 1), margin: Margin(0)) == .same)
        #expect(Verdict(Self.estimate(1.001, 1.001), margin: Margin(0)) == .slower)
        #expect(Verdict(Self.estimate(0.999, 0.999), margin: Margin(0)) == .faster)
    }

    @Test func `Holm and Benjamini-Hochberg give the printed values`() {
        // Holm 1979's scheme on four rows, by hand: 0.01*4, 0.013*3, 0.014*2 lifted to 0.04, 0.19.
        expectClose(MultipleTests.holm([0.013, 0.19, 0.01, 0.014]), [0.04, 0.19, 0.04, 0.04])
        // Benjamini & Hochberg 1995, the fifteen comparisons of their example: four are significant at 5 %.
        let published = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ]
        #expect(MultipleTests.benjaminiHochberg(published).count { $0 <= 0.05 } == 4)
        #expect(MultipleTests.holm(published).count { $0 <= 0.05 } == 3)
        #expect(MultipleTests.holm([]).isEmpty && MultipleTests.benjaminiHochberg([]).isEmpty)
    }

    @Test func `growth fit finds the exponent`() throws {
        let quadratic = try #require(GrowthFit([(1_000, 3), (10_000, 300), (100_000, 30_000)]))
        #expect(abs(quadratic.exponent - 2) < 1e-9)
        #expect(abs(quadratic.value(at: 1_000_000) / 3_000_000 - 1) < 1e-6)
        #expect(GrowthFit([(1_000, 3)]) == nil)
        #expect(GrowthFit([(1_000, 3), (1_000, 4)]) == nil)
        #expect(GrowthFit([(0, 3), (10, 0)]) == nil)
    }

    @Test func `outliers are marked not dropped`() {
        #expect(Quantiles.outliers([10, 11, 10, 12, 11, 50]) == [false, false, false, false, false, true])
        #expect(Quantiles.outliers([1, 1, 1, 9]) == [false, false, false, false])
        #expect(Quantiles.quantile([4, 1, 3, 2], 0.5) == 2.5)
        #expect(Quantiles.quantile([1, 2, 3, 4, 5], 0.95) == 4.8)
        #expect(Quantiles.median([]) == nil)
    }

    @Test func `differences to stored ratios add their uncertainties`() throws {
        let change = StoredRatio.change(new: Self.estimate(1.52, 1.58), stored: Self.estimate(1.49, 1.55))
        let interval = try #require(change.interval)
        #expect(interval.low < 1 && interval.high > 1)
        #expect(
            Verdict(change, margin: Margin(0.05)) == .inconclusive || Verdict(change, margin: Margin(0.10)) == .same)
        let worse = StoredRatio.change(new: Self.estimate(1.95, 2.05), stored: Self.estimate(1.49, 1.55))
        #expect(Verdict(worse, margin: Margin(0.05)) == .slower)
        let unknown = StoredRatio.change(
            new: RatioEstimate(ratio: 2, interval: nil, pairs: 3), stored: Self.estimate(1, 1.1))
        #expect(Verdict(unknown, margin: Margin(0.05)) == .inconclusive)
    }

    @Test func `steps in a history are found and noise is not`() {
        #expect(ChangePoints.find([1.5, 1.51, 1.49, 1.5, 1.5, 1.8, 1.81, 1.79, 1.8]) == [5])
        #expect(ChangePoints.find([1.5, 1.52, 1.49, 1.5, 1.51, 1.48, 1.5, 1.52]).isEmpty)
        #expect(ChangePoints.find([1, 2]).isEmpty)
    }

    @Test func `geometric mean of a suite comes with an interval`() throws {
        var random = SplitMix(seed: 4)
        let rounds = (0..<20).map { _ in (0..<30).map { _ in Optional(0.1 + Simulated.noise(&random)) } }
        let mean = try #require(GeometricMean.estimate(rounds: rounds, draws: 200))
        let interval = try #require(mean.interval)
        #expect(interval.low < 1.1052 && interval.high > 1.1052 && interval.high / interval.low < 1.05)
        #expect(GeometricMean.estimate(rounds: rounds, draws: 200) == mean, "seeded: the same figures every time")
        #expect(GeometricMean.estimate(rounds: []) == nil)
    }

    /// Twenty rows in a run, with an offset of each row that repeating does not remove. At the edge of the margin an
    /// alarm is not false, only early. Shares are percentages of the runs.
    @Test(arguments: [(1.0, 0, 0), (1.03, 0, 0), (1.05, 0, 20), (1.08, 90, 100)])
    func `the suite as a whole is red as often as it should be`(ratio: Double, atLeast: Int, atMost: Int) {
        let seed: UInt64 = 5
        var random = SplitMix(seed: seed)
        var red = 0
        let runs = TwoStageGateTests.runs
        for trial in 0..<runs {
            let rows = (0..<20).map { _ in Simulated.session(pairs: 20, change: Simulated.log(ratio), &random) }
            let rounds = (0..<20).map { round in rows.map { Optional($0[round]) } }
            guard let mean = GeometricMean.estimate(rounds: rounds, draws: 100, seed: UInt64(trial)) else {
                continue
            }
            if SuiteVerdict(what: "wall", rows: 20, estimate: mean).isRegression {
                red += 1
            }
        }
        print("suite of 20 rows at \(ratio), seed \(seed): red in \(red) of \(runs) runs")
        #expect(100 * red >= atLeast * runs && 100 * red <= atMost * runs)
    }

    private func expectClose(_ found: [Double], _ expected: [Double]) {
        #expect(found.count == expected.count)
        for (a, b) in zip(found, expected) {
            #expect(abs(a - b) < 1e-12)
        }
    }
}
