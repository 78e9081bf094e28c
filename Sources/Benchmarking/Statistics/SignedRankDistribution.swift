/// Gives the probability of a sum of signed ranks if the signs are due to chance alone.
///
/// W is the sum of the ranks 1...n that got a plus, each with probability one half. The counts are exact: a table over
/// the 2^n sign patterns, built rank by rank. Creating one takes O(n^3) time and O(n^2) space. Source: Wilcoxon 1945;
/// Hollander & Wolfe, chapter 3.
package struct SignedRankDistribution: Sendable {
    /// Number of pairs.
    package let pairs: Int
    /// `cumulative[w]` is P(W <= w), for w from 0 to n(n+1)/2.
    private let cumulative: [Double]

    /// Creates the distribution for a number of pairs, at most 1,000: more are never measured, and the counts would not
    /// fit into a Double.
    package init(pairs: Int) {
        let pairs = max(0, min(pairs, 1_000))
        self.pairs = pairs
        let greatest = pairs * (pairs + 1) / 2
        var probability = [Double](repeating: 0, count: greatest + 1)
        probability[0] = 1
        var reach = 0
        // After rank r: probability[w] of the sum of ranks 1...r. Halving at each rank keeps the numbers probabilities
        // instead of counts.
        for rank in stride(from: 1, through: pairs, by: 1) {
            reach += rank
            for sum in stride(from: reach, through: 0, by: -1) {
                probability[sum] = 0.5 * probability[sum] + (sum >= rank ? 0.5 * probability[sum - rank] : 0)
            }
        }
        var total = 0.0
        cumulative = probability.map { one in
            total += one
            return min(total, 1)
        }
    }

    /// P(W <= sum).
    package func atMost(_ sum: Int) -> Double {
        if sum < 0 {
            return 0
        }
        return sum < cumulative.count ? cumulative[sum] : 1
    }

    /// P(W >= sum). By symmetry the same as P(W <= greatest - sum), which loses no digits in the far tail.
    package func atLeast(_ sum: Int) -> Double { atMost(cumulative.count - 1 - sum) }

    /// The largest w with P(W <= w) <= alpha, the entry of printed tables; nil if even 0 is more probable.
    package func criticalValue(_ alpha: Double) -> Int? {
        var found: Int?
        for (sum, probability) in cumulative.enumerated() {
            if probability > alpha {
                break
            }
            found = sum
        }
        return found
    }
}
