import Benchmarking

/// Noise around a known truth: what benchmarks look like on shared machines.
enum Simulated {
    /// A standard normal number (sum of twelve uniform ones: no function of the C library, the same everywhere).
    static func normal(_ random: inout SplitMix) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
    }

    /// ln ratio of one pair: 5 % noise, and every tenth pair a gross outlier of five times that.
    static func noise(_ random: inout SplitMix, share: Double = 0.05) -> Double {
        normal(&random) * share * (random.next(below: 10) == 0 ? 5 : 1)
    }

    /// A session of pairs: the true change, an offset of the session that no repeat removes, and each pair's own noise.
    static func session(
        pairs: Int, change: Double, offset: Double = 0.02, drift: Double = 0, _ random: inout SplitMix
    ) -> [Double] {
        let own = normal(&random) * offset
        return (0..<pairs).map { place in
            change + own + drift * Double(place) / Double(pairs) + noise(&random)
        }
    }
}
