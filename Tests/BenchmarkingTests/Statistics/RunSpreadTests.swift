import Benchmarking
import Testing

/// How far a row moves between runs, estimated from runs with a known truth.
struct RunSpreadTests {
    @Test func `few runs say nothing and luck does not make a row certain`() {
        #expect(RunSpread.halfWidth([1.5, 1.6, 1.4]) == nil)
        #expect(RunSpread.halfWidth([1.5, 1.5, 1.5, 1.5]) == RunSpread.range.lowerBound)
        #expect(RunSpread.halfWidth([1.5, 1.5, 1.5, .nan]) == nil)
        #expect(RunSpread.halfWidth([1, 3, 1.2, 2.5, 0.9, 4]) == RunSpread.range.upperBound)
    }

    @Test func `a step that was accepted and one odd run do not widen the spread`() throws {
        let calm = try #require(RunSpread.halfWidth([1.500, 1.511, 1.492, 1.506, 1.487, 1.509, 1.494, 1.503]))
        let stepped = try #require(RunSpread.halfWidth([1.500, 1.511, 1.492, 1.506, 1.787, 1.811, 1.794, 1.803]))
        let odd = try #require(RunSpread.halfWidth([1.500, 1.511, 1.492, 1.506, 2.200, 1.509, 1.494, 1.503]))
        #expect(stepped < 1.5 * calm && odd < 1.5 * calm, "\(calm), \(stepped), \(odd)")
    }

    /// Runs move by 3 % (one standard deviation) and pairs hardly at all: the spread that is assumed without history is
    /// then far too small.
    @Test(arguments: [4, 8, 16])
    func `the learnt spread covers unchanged rows more often than the assumed one`(runs: Int) throws {
        let seed: UInt64 = 2_711
        var random = SplitMix(seed: seed)
        func run() -> RatioEstimate { StoredRatioTests.estimate(Simulated.normal(&random) * 0.03, halfWidth: 0.005) }
        var learnt = 0
        var assumed = 0
        let trials = 400
        for _ in 0..<trials {
            let stored = (0..<runs).map { _ in run() }
            let (last, new) = (try #require(stored.last), run())
            let spread = try #require(RunSpread.halfWidth(stored.map(\.ratio)))
            func covers(_ change: RatioEstimate) -> Bool {
                change.interval.map { $0.low <= 1 && 1 <= $0.high } ?? false
            }
            if covers(StoredRatio.change(new: new, stored: last, spread: spread)) {
                learnt += 1
            }
            if covers(StoredRatio.change(new: new, stored: last)) {
                assumed += 1
            }
        }
        print(
            "\(runs) stored runs, seed \(seed): the learnt spread covers \(learnt) of \(trials), the assumed one \(assumed)"
        )
        #expect(
            Double(learnt) / Double(trials) > (runs == 4 ? 0.70 : 0.85) && assumed < learnt
                && Double(assumed) / Double(trials) < 0.6)
    }
}

enum StoredRatioTests {
    static func estimate(_ centre: Double, halfWidth: Double) -> RatioEstimate {
        func exp(_ x: Double) -> Double { (1...24).reversed().reduce(1.0) { 1 + x / Double($1) * $0 } }
        return RatioEstimate(
            ratio: exp(centre),
            interval: .init(low: exp(centre - halfWidth), high: exp(centre + halfWidth), level: 0.95), pairs: 10)
    }
}
