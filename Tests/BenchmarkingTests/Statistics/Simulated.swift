import Benchmarking

/// Noise around a known truth, as benchmarks on shared machines have it.
enum Simulated {
    /// A standard normal number: the sum of twelve uniform ones, which needs no function of the C library and is the
    /// same everywhere.
    static func normal(_ random: inout SplitMix) -> Double {
        var sum = -6.0
        for _ in 0..<12 {
            sum += random.unit()
        }
        return sum
    }

    /// ln ratio of one pair: 5 % noise, and every tenth pair a gross outlier of five times that.
    static func noise(_ random: inout SplitMix, share: Double = 0.05) -> Double {
        normal(&random) * share * (random.next(below: 10) == 0 ? 5 : 1)
    }

    /// A session of pairs: the true change, an offset of the session that repeating does not remove, and each pair's
    /// own noise.
    static func session(
        pairs: Int, change: Double, offset: Double = 0.02, drift: Double = 0, _ random: inout SplitMix
    ) -> [Double] {
        let own = normal(&random) * offset
        return (0..<pairs).map { index in
            change + own + drift * Double(index) / Double(pairs) + noise(&random)
        }
    }
}
