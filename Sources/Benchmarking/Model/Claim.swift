/// A statement that a cell's figures confirm or refute: a performance claim of the guide, or a floor of the design.
///
/// The verdict comes from the interval, never from the estimate alone.
package struct Claim: Sendable, Hashable {
    /// `PERF-05`, `FLOOR-upsert`.
    package let id: String
    /// What is claimed, in a sentence.
    package let statement: String
    /// The back ends that the claim is about: `plain`, `cipher`, or `any` for work without storage. Reports have one
    /// row for each.
    package let backend: String
    package let expectation: Expectation
    /// The metric that decides; nil for the cell's primary metric. Writes that are each done once are decided by
    /// processor time, because both arms wait for the disk as often, and its stalls would hide everything else.
    package let metric: Metric?

    package init(_ id: String, _ statement: String, backend: String, metric: Metric? = nil, _ expectation: Expectation)
    {
        self.id = id
        self.statement = statement
        self.backend = backend
        self.metric = metric
        self.expectation = expectation
    }

    package enum Expectation: Sendable, Hashable {
        /// arm / base is at most this ratio.
        case ratio(base: Arm, arm: Arm, atMost: Double)
        /// arm / base is at least this ratio.
        case slower(base: Arm, arm: Arm, atLeast: Double)
        /// The ratio is between two bounds.
        case within(base: Arm, arm: Arm, ClosedRange<Double>)
        /// One unit of the arm's work costs at most this, in the metric's unit.
        case cost(arm: Arm, atMost: Double)
        /// Time per unit of the arm grows with the parameter `entries` by an exponent between two bounds.
        case growth(arm: Arm, ClosedRange<Double>)
    }

    /// The arms that are compared; for a ratio the numerator first.
    package var arms: [Arm] {
        switch expectation {
        case .ratio(let base, let arm, _), .slower(let base, let arm, _), .within(let base, let arm, _): [arm, base]
        case .cost(let arm, _), .growth(let arm, _): [arm]
        }
    }

    package enum Finding: String, Sendable, Hashable {
        case holds
        case doesNotHold = "does not hold"
        case inconclusive
    }

    /// Decides by the interval of the ratio.
    package func finding(ratio: RatioEstimate?) -> Finding {
        guard let interval = ratio?.interval else {
            return .inconclusive
        }
        switch expectation {
        case .ratio(_, _, let atMost): return Self.weigh(interval.low, interval.high, 0, atMost)
        case .slower(_, _, let atLeast): return Self.weigh(interval.low, interval.high, atLeast, .infinity)
        case .within(_, _, let range):
            return Self.weigh(interval.low, interval.high, range.lowerBound, range.upperBound)
        case .cost, .growth: return .inconclusive
        }
    }

    /// Decides by the cost of one unit: the claim holds if 95 of 100 samples keep the bound, and does not hold if half
    /// of them break it.
    package func finding(median: Double?, p95: Double?) -> Finding {
        guard case .cost(_, let atMost) = expectation, let median, let p95 else {
            return .inconclusive
        }
        return p95 <= atMost ? .holds : median > atMost ? .doesNotHold : .inconclusive
    }

    /// Decides by an exponent. Two sizes give only a hint; three or more decide, and only with an interval.
    package func finding(growth curve: GrowthCurve?) -> Finding {
        guard case .growth(_, let range) = expectation, let curve, curve.points.count >= 3,
            let interval = curve.interval
        else {
            return .inconclusive
        }
        return Self.weigh(interval.low, interval.high, range.lowerBound, range.upperBound)
    }

    private static func weigh(_ low: Double, _ high: Double, _ least: Double, _ most: Double) -> Finding {
        if low >= least && high <= most {
            return .holds
        }
        return high < least || low > most ? .doesNotHold : .inconclusive
    }
}
