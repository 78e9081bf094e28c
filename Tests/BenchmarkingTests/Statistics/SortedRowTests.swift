import Testing

@testable import Benchmarking

/// Medians of draws against the definition: the drawn samples written out and sorted.
struct SortedRowTests {
    @Test func `the median of a draw is that of its samples`() {
        let seed: UInt64 = 7
        var random = SplitMix(seed: seed)
        for trial in 0..<300 {
            let samples = (0..<Int(random.next(below: 9))).map { _ in
                random.next(below: 4) == 0 ? nil : Double(random.next(below: 6))
            }
            let times = samples.map { _ in Int(random.next(below: 4)) }
            let drawn = zip(samples, times).flatMap { [Double](repeating: $0 ?? 0, count: $0 == nil ? 0 : $1) }
            #expect(SortedRow(samples).median(times: times) == Quantiles.median(drawn), "seed \(seed), trial \(trial)")
        }
    }
}
