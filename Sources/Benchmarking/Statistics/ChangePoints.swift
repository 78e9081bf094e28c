/// Finds where a series of stored ratios stepped to another level: slow creep that no single comparison sees.
///
/// Fits a piecewise constant series, with as many steps as pay for themselves: each further step must lower the sum of
/// absolute deviations by more than `penalty` times the typical deviation between neighbours. O(n^3) with n the number
/// of runs, which is kept small.
package enum ChangePoints {
    /// The steps (index of the first value after the step), ascending. Values are ratios; they are compared as
    /// logarithms.
    package static func find(_ ratios: [Double], penalty: Double = 4) -> [Int] {
        let values = ratios.map { $0 > 0 ? Exponential.log($0) : 0 }
        guard values.count >= 4 else {
            return []
        }
        let jumps = zip(values, values.dropFirst()).map { abs($0 - $1) }
        let typical = max(Quantiles.median(jumps) ?? 0, 1e-4)
        // best[end]: the least cost of values before `end`; from[end]: where the last level of that fit begins.
        var best = [0.0] + [Double](repeating: .infinity, count: values.count)
        var from = [Int](repeating: 0, count: values.count + 1)
        for end in 1...values.count {
            for start in 0..<end where start == 0 || (end - start >= 2 && start >= 2) {
                let level = values[start..<end]
                let centre = Quantiles.median(Array(level)) ?? 0
                let cost =
                    best[start] + level.reduce(0) { $0 + abs($1 - centre) } + (start == 0 ? 0 : penalty * typical)
                if cost < best[end] {
                    (best[end], from[end]) = (cost, start)
                }
            }
        }
        var steps: [Int] = []
        var end = values.count
        while from[end] > 0 {
            steps.append(from[end])
            end = from[end]
        }
        return steps.reversed()
    }
}
