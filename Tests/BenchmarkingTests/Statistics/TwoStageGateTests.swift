import Benchmarking
import Foundation
import Testing

/// The judge against a planted truth: what it must not call a regression, and what it must find.
///
/// `SOUP_JUDGE_RUNS` and `SOUP_SEED` set the number of runs and the seed (`ci/judge-trials`).
struct TwoStageGateTests {
    static let gate = TwoStageGate()
    static let runs = ProcessInfo.processInfo.environment["SOUP_JUDGE_RUNS"].flatMap { Int($0) } ?? 20
    static let seed = ProcessInfo.processInfo.environment["SOUP_SEED"].flatMap { UInt64($0) } ?? 2_026

    /// Judges a run of rows as the runner does: 20 pairs each, then 30 more in another session for the suspects only.
    static func regressions(changes: [Double], drift: Double = 0, _ random: inout SplitMix) -> [Bool] {
        let firsts = changes.map { SignedRank(Simulated.session(pairs: 20, change: $0, drift: drift, &random)) }
        let suspects = firsts.indices.filter { gate.isSuspect(RatioEstimate(firsts[$0])) }
        let decisions = gate.decide(
            suspects.map {
                .init(
                    first: firsts[$0],
                    second: SignedRank(Simulated.session(pairs: 30, change: changes[$0], drift: drift, &random)))
            })
        var red = changes.map { _ in false }
        for (index, decision) in zip(suspects, decisions) {
            red[index] = decision.isRegression
        }
        return red
    }

    @Test func `unchanged rows give at most one false alarm in a hundred runs`() {
        var random = SplitMix(seed: Self.seed)
        var alarms = 0
        for _ in 0..<Self.runs
        where Self.regressions(changes: [Double](repeating: 0, count: 60), &random).contains(true) {
            alarms += 1
        }
        print("false alarms: in \(alarms) of \(Self.runs) runs of 60 unchanged rows, seed \(Self.seed)")
        #expect(alarms <= max(1, Self.runs / 100))
    }

    /// Shares are percentages of the planted rows.
    @Test(arguments: [(1.15, 95, 100), (1.20, 97, 100), (1.06, 0, 10), (1.03, 0, 1)])
    func `planted changes are found as often as their size allows`(ratio: Double, atLeast: Int, atMost: Int) {
        var random = SplitMix(seed: Self.seed &+ 1)
        let change = Simulated.log(ratio)
        var found = 0
        // Five planted rows are among 55 unchanged ones, so that Holm's correction has its effect.
        let changes = [Double](repeating: change, count: 5) + [Double](repeating: 0, count: 55)
        let runs = max(1, Self.runs / 5)
        for _ in 0..<runs {
            found += Self.regressions(changes: changes, &random).prefix(5).count { $0 }
        }
        print("planted \(ratio): found \(found) of \(5 * runs), seed \(Self.seed)")
        #expect(100 * found >= atLeast * 5 * runs && 100 * found <= atMost * 5 * runs)
    }

    @Test func `drift that hits both arms alike is no regression`() {
        // Drift of 30 % inside a session moves times, not ratios of neighbours; 3 % of it stays in the ratios here.
        var random = SplitMix(seed: Self.seed &+ 2)
        var alarms = 0
        let runs = max(1, Self.runs / 5)
        for _ in 0..<runs
        where Self.regressions(changes: [Double](repeating: 0, count: 60), drift: 0.03, &random).contains(true) {
            alarms += 1
        }
        print("false alarms under drift: in \(alarms) of \(runs) runs of 60 unchanged rows, seed \(Self.seed)")
        #expect(alarms <= runs / 100)
    }

    @Test func `a row without pairs is suspect and never green`() {
        #expect(Self.gate.isSuspect(nil))
        #expect(Self.gate.isSuspect(RatioEstimate(SignedRank([0, 0, 0]))))
        let decision = Self.gate.decide([.init(first: SignedRank([]), second: SignedRank([]))])
        #expect(decision.first?.verdict == .inconclusive)
    }

    @Test func `one slow session alone is not enough`() {
        let slow = SignedRank([Double](repeating: 0.3, count: 20))
        let calm = SignedRank([Double](repeating: 0.001, count: 30))
        #expect(Self.gate.decide([.init(first: slow, second: calm)]).first?.verdict == .same)
        #expect(Self.gate.decide([.init(first: calm, second: slow)]).first?.verdict == .inconclusive)
        #expect(Self.gate.decide([.init(first: slow, second: slow)]).first?.verdict == .slower)
    }

    @Test func `a widened margin forgives what it covers`() {
        let slow = SignedRank([Double](repeating: 0.08, count: 20))
        #expect(Self.gate.decide([.init(first: slow, second: slow, margin: Margin(0.10))]).first?.verdict == .same)
        #expect(Margin(0.05).widened(toNullHalfWidth: 0.01) == Margin(0.05))
        #expect(abs(Margin(0.05).widened(toNullHalfWidth: 0.05).share - 0.1618) < 0.001)
    }
}

extension Simulated {
    /// ln by its series: tests need a handful of values and no C library.
    static func log(_ x: Double) -> Double {
        let z = (x - 1) / (x + 1)
        return 2
            * stride(from: 1, through: 41, by: 2).reduce(0.0) { sum, k in
                sum + (0..<k).reduce(1.0) { power, _ in power * z } / Double(k)
            }
    }
}
