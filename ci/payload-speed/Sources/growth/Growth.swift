import Foundation

/// Prints the processor time that 256 KB, 512 KB and 1 MB of each construct take, and how fast it grows. A construct
/// whose name does not contain the argument is left out.
@main enum Growth {
    /// Milliseconds for 1 MB.
    private static let longest = 100.0
    /// Below these milliseconds noise decides how fast a time grows.
    private static let noise = 5.0

    static func main() {
        let wanted = CommandLine.arguments.dropFirst().first ?? ""
        var isGood = true
        print("  256 KB   512 KB     1 MB  exponent  construct")
        for construct in GrowthConstruct.all where wanted.isEmpty || construct.name.contains(wanted) {
            do {
                isGood = try holds(construct) && isGood
            } catch {
                print("\(construct.name): \(error)  <- refused")
                isGood = false
            }
        }
        exit(isGood ? 0 : 1)
    }

    private static func holds(_ construct: GrowthConstruct) throws -> Bool {
        let works = try [1 << 18, 1 << 19, 1 << 20].map { try construct.prepared($0) }
        var figures = Figures(times: try works.map { try milliseconds($0, rounds: 5) })
        if !figures.hold {
            // Other programs share the memory and the caches: only what stays slow is slow.
            let again = try works.map { try milliseconds($0, rounds: 25) }
            figures = Figures(times: zip(figures.times, again).map { min($0, $1) })
        }
        let columns = figures.times.map { String(format: "%8.2f", $0) }.joined(separator: " ")
        let exponent = String(format: "  %8.2f  ", figures.exponents[1])
        print(columns + exponent + construct.name + (figures.hold ? "" : "  <- too slow"))
        return figures.hold
    }

    private struct Figures {
        /// Milliseconds for each size.
        let times: [Double]
        var exponents: [Double] { zip(times, times.dropFirst()).map { log2($1 / max($0, 0.001)) } }

        /// Whether the largest size is fast enough, and the times do not grow too fast. Both doublings must be steep, because
        /// one alone may be an accident.
        var hold: Bool {
            let isSteep = times[2] > Growth.noise && exponents.allSatisfy { $0 > GrowthConstruct.exponent }
            return !isSteep && times[2] <= Growth.longest
        }
    }

    /// The least processor time of a few runs: another program's work does not count.
    private static func milliseconds(_ work: () throws -> Void, rounds: Int) throws -> Double {
        var best = Double.infinity
        let start = cpu()
        for round in 0..<rounds where round == 0 || cpu() - start < 4_000 {
            let before = cpu()
            try work()
            best = min(best, cpu() - before)
        }
        return best
    }

    private static func cpu() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
    }
}
