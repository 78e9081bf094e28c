import Benchmarking
import Foundation
import Testing

/// The judge under noise that lasts through both looks, with the base built twice. `ci/judge-trials` prints the table.
struct JudgeStreamTests {
    /// A kind of noise, in units of ln ratio.
    struct Stream: Sendable, CustomTestStringConvertible {
        let name: String
        /// Standard deviation of the offset that a build has in a row, of the ratio of two builds.
        var layout = 0.0
        /// The same for the time of one look.
        var session = 0.02
        /// How much of a pair's noise the next pair keeps; 0 for independent pairs with outliers.
        var memory = 0.0
        /// The share of blocks in which a build is in a mode that is slower by a fifth, ten blocks at a time.
        var modes = 0.0
        /// How far the ratio of the two sources drifts over the whole session.
        var drift = 0.0
        /// Whether it is harder than what the judge promises to withstand.
        var isHarder = false
        var testDescription: String { name }
    }

    static let streams = [
        Stream(name: "independent pairs"),
        Stream(name: "layout, 3 %", layout: 0.03),
        Stream(name: "offsets of a session, 3 %", session: 0.03),
        Stream(name: "AR(1) at 0.8", memory: 0.8),
        Stream(name: "modes in 10 % of blocks", modes: 0.1),
        Stream(name: "AR(1) at 0.95", memory: 0.95, isHarder: true),
        Stream(name: "drift of 10 %", drift: 0.1, isHarder: true),
        Stream(name: "all of them", layout: 0.03, session: 0.03, memory: 0.8, modes: 0.1, isHarder: true),
    ]

    /// The pairs of both looks.
    static let profiles = [
        (name: "full", first: 20, second: Profile(.full).secondLook),
        (name: "quick", first: 10, second: Profile(.quick).secondLook),
    ]

    /// Few without `SOUP_JUDGE_RUNS`, because every run has 60 rows in three builds.
    static let runs = ProcessInfo.processInfo.environment["SOUP_JUDGE_RUNS"] == nil ? 5 : TwoStageGateTests.runs

    /// One run of 60 rows, of which some have a true change, judged as `RunJudge` does it.
    struct Trial {
        let stream: Stream
        let changes: [Double]
        let pairs: (first: Int, second: Int)
        private var random: SplitMix
        /// The offset of each row in each of the three builds.
        private let layouts: [[Double]]

        init(_ stream: Stream, changes: [Double], pairs: (first: Int, second: Int), seed: UInt64) {
            self.stream = stream
            self.changes = changes
            self.pairs = pairs
            var random = SplitMix(seed: seed)
            let deviation = stream.layout / 2.0.squareRoot()
            layouts = (0..<3).map { _ in changes.map { _ in Simulated.normal(&random) * deviation } }
            self.random = random
        }

        /// The ln ratios of a row's pairs between two builds.
        private mutating func look(_ row: Int, _ one: Int, _ other: Int, _ count: Int, after before: Int) -> SignedRank
        {
            let offset = layouts[one][row] - layouts[other][row] + Simulated.normal(&random) * stream.session
            let isChanged = one == 0
            let slow = [modes(count), modes(count)]
            var kept = Simulated.normal(&random)
            let own = (1 - stream.memory * stream.memory).squareRoot()
            return SignedRank(
                (0..<count).map { index in
                    var noise = Simulated.noise(&random)
                    if stream.memory > 0 {
                        kept = stream.memory * kept + own * Simulated.normal(&random)
                        noise = 0.05 * kept
                    }
                    let drift = stream.drift * Double(before + index) / Double(pairs.first + pairs.second)
                    return offset + noise + slow[0][index] - slow[1][index]
                        + (isChanged ? changes[row] + drift : 0)
                })
        }

        private mutating func modes(_ count: Int) -> [Double] {
            var left = 0
            return (0..<count).map { _ in
                if left == 0, random.unit() < stream.modes / 10 / max(0.1, 1 - stream.modes) {
                    left = 10
                }
                left = max(0, left - 1)
                return left > 0 ? 0.18 : 0
            }
        }

        mutating func regressions() -> [Bool] {
            let rows = Array(changes.indices)
            let firsts = rows.map { look($0, 0, 1, pairs.first, after: 0) }
            let null = rows.compactMap { RatioEstimate(look($0, 1, 2, pairs.first, after: 0)) }
            let deviation = BuildSpread.deviation(null) ?? 0
            let gate = TwoStageGate()
            let margin = Margin(0.05).raised(byLog: BuildSpread.ofGatingRows * deviation)
            let suspects = rows.filter { gate.isSuspect(RatioEstimate(firsts[$0]), margin: margin) }
            let twice = suspects.map {
                TwoStageGate.Row(
                    first: firsts[$0], second: look($0, 0, 1, pairs.second, after: pairs.first), margin: margin)
            }
            var red = changes.map { _ in false }
            for (row, decision) in zip(suspects, gate.decide(twice)) {
                red[row] = decision.isRegression
            }
            return red
        }
    }

    @Test(arguments: streams) func `lasting noise gives at most one false alarm in a hundred runs`(_ stream: Stream) {
        let runs = Self.runs
        for profile in Self.profiles {
            let pairs = (first: profile.first, second: profile.second)
            var alarms = 0
            for run in 0..<runs {
                var trial = Trial(
                    stream, changes: [Double](repeating: 0, count: 60), pairs: pairs,
                    seed: TwoStageGateTests.seed &+ UInt64(run))
                alarms += trial.regressions().contains(true) ? 1 : 0
            }
            var found: [String] = []
            for ratio in [1.1, 1.15, 1.2, 2] {
                let planted = [Double](repeating: Simulated.log(ratio), count: 5)
                var count = 0
                let several = max(2, runs / 5)
                for run in 0..<several {
                    var trial = Trial(
                        stream, changes: planted + [Double](repeating: 0, count: 55), pairs: pairs,
                        seed: TwoStageGateTests.seed &+ 1_000_000 &+ UInt64(run))
                    count += trial.regressions().prefix(5).count { $0 }
                }
                let share = 100 * count / (5 * several)
                found.append("x\(ratio) in \(share)")
                if ratio == 2 {
                    #expect(share == 100, "\(stream.name), \(profile.name)")
                }
                if ratio == 1.2, stream.name == Self.streams[0].name, profile.name == "full" {
                    #expect(share >= (runs < 100 ? 80 : 95))
                }
            }
            print(
                "stream \(stream.name), \(profile.name): red \(alarms) of \(runs) runs; found of 100: \(found.joined(separator: ", "))"
            )
            #expect(stream.isHarder || alarms <= max(1, runs / 100), "\(stream.name), \(profile.name)")
        }
    }

    @Test func `the spread of two builds is what their pairs do not explain`() throws {
        var random = SplitMix(seed: 5)
        func rows(_ deviation: Double, count: Int = 60) -> [RatioEstimate] {
            (0..<count).compactMap { _ in
                let offset = Simulated.normal(&random) * deviation
                return RatioEstimate(SignedRank((0..<20).map { _ in offset + Simulated.normal(&random) * 0.03 }))
            }
        }
        #expect(BuildSpread.deviation(rows(0.03, count: 9)) == nil && BuildSpread.deviation([]) == nil)
        let calm = try #require(BuildSpread.deviation(rows(0)))
        let apart = try #require(BuildSpread.deviation(rows(0.03)))
        #expect(calm < 0.012 && apart > 0.018 && apart < 0.045)
        #expect(BuildSpread.deviation(rows(0.2)) == BuildSpread.largest)
        #expect(abs(Margin(0.05).raised(byLog: Simulated.log(1.1)).share - 0.155) < 1e-9)
    }
}
