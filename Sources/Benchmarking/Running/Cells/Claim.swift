/// A statement that a cell's figures bear out or refute: a performance claim of the guide, or a floor of the design.
///
/// The verdict comes from the interval, never from the estimate alone.
public struct Claim: Sendable, Hashable {
    /// `PERF-05`, `FLOOR-upsert`.
    public let id: String
    /// What is claimed, in a sentence.
    public let statement: String
    /// Where the claim holds for: `plain`, `cipher`. Reports have one row for each.
    public let backend: String
    public let expectation: Expectation

    public init(_ id: String, _ statement: String, backend: String, _ expectation: Expectation) {
        self.id = id
        self.statement = statement
        self.backend = backend
        self.expectation = expectation
    }

    public enum Expectation: Sendable, Hashable {
        /// time(arm) / time(base) is at most so much.
        case ratio(base: Arm, arm: Arm, atMost: Double)
        /// time(arm) / time(base) is at least so much.
        case slower(base: Arm, arm: Arm, atLeast: Double)
        /// The ratio lies between two bounds.
        case within(base: Arm, arm: Arm, ClosedRange<Double>)
        /// Time per unit of the arm grows with the parameter `entries` by at most this exponent.
        case growth(arm: Arm, atMost: Double)
    }

    public enum Finding: String, Sendable, Hashable {
        case holds
        case doesNotHold = "does not hold"
        case inconclusive
    }

    /// Weighs a bound against an interval of the ratio.
    public func finding(ratio: RatioEstimate?) -> Finding {
        guard let interval = ratio?.interval else { return .inconclusive }
        let bounds: (least: Double, most: Double)
        switch expectation {
        case .ratio(_, _, let atMost): bounds = (0, atMost)
        case .slower(_, _, let atLeast): bounds = (atLeast, .infinity)
        case .within(_, _, let range): bounds = (range.lowerBound, range.upperBound)
        case .growth: return .inconclusive
        }
        if interval.low >= bounds.least && interval.high <= bounds.most { return .holds }
        return interval.high < bounds.least || interval.low > bounds.most ? .doesNotHold : .inconclusive
    }

    /// Weighs a fitted exponent. Two sizes give a hint only; three or more decide.
    public func finding(growth: GrowthFit?, sizes: Int) -> Finding {
        guard case .growth(_, let atMost) = expectation, let growth, sizes >= 3 else { return .inconclusive }
        return growth.exponent <= atMost ? .holds : .doesNotHold
    }
}
