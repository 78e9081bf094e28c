import Benchmarking
import Testing

/// Statistics against printed tables and against the worked example of the textbooks.
struct SignedRankTests {
    /// Wilcoxon's table as McCornack (1965) extended it: the largest sum of ranks still significant, two-sided 5 % and
    /// 1 %.
    static let fivePercent: [Int: Int] = [
        6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 16: 29, 17: 34, 18: 40, 19: 46, 20: 52,
        21: 58, 22: 65, 23: 73, 24: 81,
        25: 89, 26: 98, 27: 107, 28: 116, 29: 126, 30: 137,
    ]
    static let onePercent: [Int: Int] = [
        8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 16: 19, 17: 23, 18: 27, 19: 32, 20: 37, 21: 42, 22: 48,
        23: 54, 24: 61, 25: 68,
    ]

    @Test func `critical values are those of the printed tables`() {
        for (pairs, value) in Self.fivePercent {
            #expect(SignedRankDistribution(pairs: pairs).criticalValue(0.025) == value, "\(pairs) pairs")
        }
        for (pairs, value) in Self.onePercent {
            #expect(SignedRankDistribution(pairs: pairs).criticalValue(0.005) == value, "\(pairs) pairs")
        }
        #expect(SignedRankDistribution(pairs: 5).criticalValue(0.025) == nil)
        #expect(SignedRankDistribution(pairs: 7).criticalValue(0.005) == nil)
    }

    /// Counts sign patterns one by one: the definition, without the recursion.
    @Test func `distribution equals counting all sign patterns`() {
        for pairs in 0...12 {
            var counts = [Int](repeating: 0, count: pairs * (pairs + 1) / 2 + 1)
            for pattern in 0..<(1 << pairs) {
                counts[(0..<pairs).reduce(0) { $0 + (pattern >> $1 & 1 == 1 ? $1 + 1 : 0) }] += 1
            }
            let distribution = SignedRankDistribution(pairs: pairs)
            var below = 0
            for (sum, count) in counts.enumerated() {
                below += count
                #expect(abs(distribution.atMost(sum) - Double(below) / Double(1 << pairs)) < 1e-12)
                #expect(
                    abs(distribution.atLeast(sum) - Double((1 << pairs) - below + count) / Double(1 << pairs)) < 1e-12)
            }
        }
    }

    /// Depression scores of nine patients before and after (Hollander & Wolfe, examples 3.1, 3.3 and 3.4): V = 40, p =
    /// 0.0195, estimate 0.46, 96.1 % interval from 0.010 to 0.786.
    @Test func `textbook example comes out`() throws {
        let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
        let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        let ranks = SignedRank(zip(before, after).map { $0 - $1 })
        #expect(abs(ranks.probability(centreAtMost: 0) - 10.0 / 512) < 1e-12)
        #expect(abs(try #require(ranks.estimate) - 0.46) < 0.0005)
        let interval = try #require(ranks.interval(level: 0.95))
        #expect(abs(interval.low - 0.010) < 0.0005 && abs(interval.high - 0.786) < 0.0005)
        #expect(abs(interval.level - 0.9609) < 0.0001)
    }

    /// Darwin's fifteen pairs of maize plants (cross- minus self-fertilised, in eighths of an inch), the classic of
    /// paired tests.
    @Test func `maize plants come out`() throws {
        let ranks = SignedRank([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48])
        // Sum of negative ranks 24 of 120: two-sided p = 0.041 (exact).
        #expect(abs(2 * ranks.probability(centreAtMost: 0) - 0.0413) < 0.0005)
        let interval = try #require(ranks.interval(level: 0.95))
        #expect(interval.low > 0)
    }

    @Test func `too few pairs give no interval`() {
        #expect(SignedRank([1, 2, 3, 4, 5]).interval(level: 0.95) == nil)
        #expect(SignedRank([1, 2, 3, 4, 5, 6]).interval(level: 0.95)?.low == 1)
        #expect(SignedRank([1, 2, 3, 4, 5, 6, 7]).interval(level: 0.99) == nil)
        #expect(SignedRank([]).estimate == nil)
        #expect(SignedRank([.nan, .infinity]).pairs == 0)
        #expect(SignedRank([]).probability(centreAtMost: 0) == 1)
    }

    @Test(arguments: [6, 10, 20, 30])
    func `interval and test agree`(pairs: Int) throws {
        var random = SplitMix(seed: UInt64(pairs))
        for _ in 0..<50 {
            let ranks = SignedRank((0..<pairs).map { _ in Simulated.normal(&random) })
            let interval = try #require(ranks.interval(level: 0.95))
            #expect(ranks.probability(centreAtMost: interval.low - 1e-9) <= 0.025)
            #expect(ranks.probability(centreAtMost: interval.low + 1e-9) > 0.025)
            #expect(ranks.probability(centreAtLeast: interval.high + 1e-9) <= 0.025)
            #expect(ranks.probability(centreAtLeast: interval.high - 1e-9) > 0.025)
        }
    }

    @Test(arguments: [6, 10, 20])
    func `interval covers the truth as often as it says`(pairs: Int) {
        var random = SplitMix(seed: 77)
        let trials = 500
        var covered = 0
        var promised = 0.0
        for _ in 0..<trials {
            guard
                let interval = SignedRank((0..<pairs).map { _ in 0.3 + Simulated.noise(&random) }).interval(level: 0.95)
            else {
                continue
            }
            promised = interval.level
            covered += interval.low <= 0.3 && 0.3 <= interval.high ? 1 : 0
        }
        #expect(
            abs(Double(covered) / Double(trials) - promised) < 0.03, "\(covered) of \(trials), promised \(promised)")
    }
}
