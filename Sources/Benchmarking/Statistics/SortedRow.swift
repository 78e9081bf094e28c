/// The samples of one row in ascending order, each with its round, so that the median of any draw of rounds is found
/// without sorting again.
struct SortedRow {
    private let values: [Double]
    private let rounds: [Int]

    /// Takes the row's sample of each round, nil if there is none.
    init(_ samples: [Double?]) {
        let sorted = samples.enumerated().compactMap { round, value in value.map { (round, $0) } }.sorted {
            $0.1 < $1.1
        }
        values = sorted.map(\.1)
        rounds = sorted.map(\.0)
    }

    /// The median of the samples if the one of each round counts `times[round]` times; nil if none counts. O(rounds).
    func median(times: [Int]) -> Double? {
        var count = 0
        for round in rounds {
            count += times[round]
        }
        guard count > 0 else { return nil }
        var lower: Double?
        var passed = 0
        for (index, round) in rounds.enumerated() {
            passed += times[round]
            // The middle one, or the lower of the two middle ones.
            if lower == nil, 2 * passed >= count {
                lower = values[index]
            }
            // The middle one again, or the upper of the two.
            if let lower, 2 * passed > count {
                return count % 2 == 1 ? values[index] : (lower + values[index]) / 2
            }
        }
        return lower
    }
}
