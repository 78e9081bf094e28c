import Soups

/// Measures this machine against itself: the same work twice, in turn. The difference is noise, and smaller effects
/// cannot be seen here.
package struct NoiseEstimate: Sendable {
    package let what: String
    package let pairs: Int
    /// Half the width of the 95 % interval, as a share: 0.02 means that ratios are known to 2 %.
    package let halfWidth: Double

    /// The smallest slow-down that can be found here with a margin of 5 %.
    package var smallestVisible: Double { Margin(0.05).upper * (1 + halfWidth) * (1 + halfWidth) - 1 }

    /// Measures the plain arm of each cell. Takes some seconds.
    ///
    /// The folder is removed afterwards, whatever happens.
    ///
    /// - Throws: `inputOutput`, `libraryUnavailable`; `closed` if Ctrl-C was pressed (see `Interruption`).
    package static func measure(
        _ cells: [Cell], dataFolder: String, pairs counts: [Int] = [10, 20, 30]
    ) throws -> [NoiseEstimate] {
        let scope = CellScope(profile: Profile(.quick), sizes: [])
        var found: [NoiseEstimate] = []
        let mark = try LeftOverData.make(dataFolder)
        defer {
            try? Folders.remove(dataFolder)
            withExtendedLifetime(mark) {}
        }
        for cell in cells {
            let setting = RunSetting(scope: scope, executable: "", workerArguments: [], dataFolder: dataFolder)
            let subjects = try [Arm.plain, .plainAgain].map { arm in
                let workplace = try setting.workplace(of: arm)
                return try cell.prepare(
                    .plain,
                    Workplace(arm: .plain, folder: workplace.folder, templates: workplace.templates, seed: scope.seed))
            }
            var ratios: [Double] = []
            for pair in 0..<(counts.max() ?? 0) + 1 {
                if Interruption.isRequested {
                    throw Fault(.closed, "the estimate was interrupted")
                }
                var times = [0.0, 0.0]
                for index in pair % 2 == 0 ? [0, 1] : [1, 0] {
                    let watch = Stopwatch()
                    repeat {
                        _ = try watch.measure { try subjects[index].run(watch) }
                        times[index] += 1
                    } while watch.wall < ArmBench.shortestSample
                    times[index] = Double(watch.wall) / times[index]
                }
                // The first pair is a warm-up.
                if pair > 0 {
                    ratios.append(Exponential.log(times[1] / times[0]))
                }
            }
            for subject in subjects {
                try subject.close()
            }
            for count in counts {
                guard let interval = SignedRank(Array(ratios.prefix(count))).interval(level: 0.95) else {
                    continue
                }
                found.append(
                    NoiseEstimate(
                        what: cell.workload, pairs: count,
                        halfWidth: Exponential.exp((interval.high - interval.low) / 2) - 1))
            }
        }
        return found
    }
}
