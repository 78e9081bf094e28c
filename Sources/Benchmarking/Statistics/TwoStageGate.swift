/// Decides which rows are regressions: after a first look at all rows, and a second one, in fresh processes, at the
/// suspects only.
///
/// A red row needs both looks: the whole interval of each is above the margin, and the second one passes Holm's
/// correction over all rows that had a second look. The second session shows what repetition inside one session cannot:
/// that the machine was slower for some minutes.
package struct TwoStageGate: Sendable {
    package var margin: Margin
    /// The level of the intervals; its complement is the probability of a false alarm, over all rows.
    package var level: Double

    package init(margin: Margin = Margin(0.05), level: Double = 0.95) {
        self.margin = margin
        self.level = level
    }

    /// Whether a row deserves the second look: its estimate is beyond half of the margin, or its interval does not
    /// exclude a regression.
    package func isSuspect(_ first: RatioEstimate?, margin own: Margin? = nil) -> Bool {
        let margin = own ?? self.margin
        guard let first, let interval = first.interval else { return true }
        return first.ratio > margin.half.upper || interval.high > margin.upper
    }

    /// A row that had two looks: the log ratios of each look, and the margin if it has one of its own.
    package struct Row: Sendable {
        package var first: SignedRank
        package var second: SignedRank
        package var margin: Margin?

        package init(first: SignedRank, second: SignedRank, margin: Margin? = nil) {
            self.first = first
            self.second = second
            self.margin = margin
        }
    }

    package struct Decision: Sendable, Hashable {
        package let verdict: Verdict
        /// The probability of the second look's figures if the row had stayed within its margin, and the same
        /// corrected for all rows.
        package let probability: Double
        package let corrected: Double
        package var isRegression: Bool { verdict == .slower }
    }

    /// Decides about all rows that had two looks, in their order.
    package func decide(_ rows: [Row]) -> [Decision] {
        let probabilities = rows.map {
            $0.second.probability(centreAtMost: Exponential.log(($0.margin ?? margin).upper))
        }
        let corrected = MultipleTests.holm(probabilities)
        return rows.indices.map { index in
            let row = rows[index]
            let own = row.margin ?? margin
            let first = Verdict(RatioEstimate(row.first, level: level), margin: own)
            let second = Verdict(RatioEstimate(row.second, level: level), margin: own)
            let verdict: Verdict =
                switch second {
                case .slower where first != .slower || corrected[index] > (1 - level) / 2: .inconclusive
                default: second
                }
            return Decision(verdict: verdict, probability: probabilities[index], corrected: corrected[index])
        }
    }
}
