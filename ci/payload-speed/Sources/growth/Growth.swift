import Foundation

/// Prints the processor time that 256 KB, 512 KB and 1 MB of each construct take, and how fast it grows. A construct
/// whose name does not contain the argument is left out.
///
/// 1 MB takes 100 ms at most. Options are applied to entities in memory, of which 1 MB has up to 95,000: that may take as
/// long as Foundation needs to read them.
@main enum Growth {
    /// Milliseconds for 1 MB.
    private static let longest = 100.0
    /// Below these milliseconds noise decides how fast a time grows.
    private static let noise = 5.0

    /// How often a construct that seems too slow is measured again, after all others. Other programs use the memory and the
    /// caches for seconds: only what stays slow is slow.
    private static let furtherLooks = 4

    static func main() {
        let wanted = CommandLine.arguments.dropFirst().first ?? ""
        var isGood = true
        var slow: [(construct: GrowthConstruct, figures: Figures)] = []
        print("  256 KB   512 KB     1 MB  exponent  at most  construct")
        for construct in GrowthConstruct.all where wanted.isEmpty || construct.name.contains(wanted) {
            do {
                let figures = try measured(construct)
                show(figures, construct, figures.hold ? "" : "  <- measured again below")
                if !figures.hold {
                    slow.append((construct, figures))
                }
            } catch {
                print("\(construct.name): \(error)  <- refused")
                isGood = false
            }
        }
        for _ in 0..<furtherLooks {
            for index in slow.indices where !slow[index].figures.hold {
                guard let again = try? measured(slow[index].construct) else { continue }
                slow[index].figures.keepLess(of: again)
            }
        }
        for (construct, figures) in slow {
            show(figures, construct, figures.hold ? "" : "  <- too slow")
        }
        exit(isGood && slow.allSatisfy(\.figures.hold) ? 0 : 1)
    }

    private static func measured(_ construct: GrowthConstruct) throws -> Figures {
        let works = try [1 << 18, 1 << 19, 1 << 20].map { try construct.prepared($0) }
        var figures = Figures(times: try works.map { try milliseconds($0, rounds: 5) })
        if let entities = construct.entities(1 << 20) {
            let data = Data(entities.utf8)
            let reading = try milliseconds({ _ = try JSONSerialization.jsonObject(with: data) }, rounds: 5)
            figures.longest = max(longest, reading)
        }
        return figures
    }

    private static func show(_ figures: Figures, _ construct: GrowthConstruct, _ remark: String) {
        let columns = figures.times.map { String(format: "%8.2f", $0) }.joined(separator: " ")
        let bounds = String(format: "  %8.2f %8.0f  ", figures.exponents[1], figures.longest)
        print(columns + bounds + construct.name + remark)
    }

    private struct Figures {
        /// Milliseconds for each size.
        private(set) var times: [Double]
        /// The milliseconds that the largest size may take.
        var longest = Growth.longest
        var exponents: [Double] { zip(times, times.dropFirst()).map { log2($1 / max($0, 0.001)) } }

        mutating func keepLess(of other: Figures) {
            times = zip(times, other.times).map { min($0, $1) }
            longest = min(longest, other.longest)
        }

        /// Whether the largest size is fast enough, and the times do not grow too fast. Both doublings must be steep, because
        /// one alone may be an accident.
        var hold: Bool {
            let isSteep = times[2] > Growth.noise && exponents.allSatisfy { $0 > GrowthConstruct.exponent }
            return !isSteep && times[2] <= longest
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
