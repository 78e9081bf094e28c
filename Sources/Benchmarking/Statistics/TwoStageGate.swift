/// Decides which rows are regressions: a first look at all rows, a second one, in fresh processes, at the suspects
/// only.
///
/// Red needs both looks: the whole interval of each is above the margin, and the second one survives Holm's
/// correction over all rows that were looked at twice. What repeats inside one session cannot show, a machine that was
/// slower for these minutes, the second session does.
package struct TwoStageGate: Sendable {
    package var margin: Margin
    /// The level of the intervals; its complement is what the gate may be wrong in, over all rows.
    package var level: Double

    package init(margin: Margin = Margin(0.05), level: Double = 0.95) {
        self.margin = margin
        self.level = level
    }

    /// Says whether a row deserves the second look: its estimate is beyond half of the margin, or its interval does not
    /// rule a regression out.
    package func isSuspect(_ first: RatioEstimate?, margin own: Margin? = nil) -> Bool {
        let margin = own ?? self.margin
        guard let first, let interval = first.interval else { return true }
        return first.ratio > margin.half.upper || interval.high > margin.upper
    }

    /// A row looked at twice: the log ratios of each look, and the margin where it has one of its own.
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
        /// The probability of the second look's figures if the row were no slower than its margin, and the same
        /// corrected for all rows.
        package let probability: Double
        package let corrected: Double
        package var isRegression: Bool { verdict == .slower }
    }

    /// Decides over all rows that were looked at twice, in their order.
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
