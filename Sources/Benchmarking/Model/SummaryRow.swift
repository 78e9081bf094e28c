/// Says what a run found for one metric of a cell and one pair of arms. A row of summary.csv.
package struct SummaryRow: Sendable, Hashable {
    package var cellID: String
    package var workload: String
    package var parameters: String
    package var metric: Metric
    package var baseArm: Arm
    /// `Arm.none` if nothing could be compared: the row then shows the base arm only.
    package var arm: Arm
    /// Medians and 95th percentiles per unit of work; nil for an arm without samples.
    package var baseMedian: Double?
    package var armMedian: Double?
    package var baseP95: Double?
    package var armP95: Double?
    /// arm / base; for counters the exact quotient. nil if one of them is missing, or if only one of two back ends
    /// counts anything; for two builds see `RatioEstimate.exact`.
    package var estimate: RatioEstimate?
    package var margin: Margin
    /// 1, or 2 if the row had a second look.
    package var stage: Int
    /// The probability of such figures if the arm were no slower than its margin, and the same corrected for all rows
    /// that gate.
    package var probability: Double?
    package var correctedProbability: Double?
    /// The share of chance findings to expect among the rows that differ from another build as clearly as this one or
    /// more (Benjamini-Hochberg over all rows that gate, both directions, beyond the margin); nil for rows that do not
    /// gate.
    package var chanceShare: Double?
    package var verdict: Verdict
    /// Why the row is invalid or inconclusive.
    package var reason: String
    /// Whether SQLite answered the statements of both arms along the same plans; nil if one of them has no plans.
    package var isPlanSame: Bool?
    /// Whether the arms gave the same answer in every block; nil if they need not.
    package var isDigestSame: Bool?
    /// The hash of the cell's definition.
    package var version: String

    package init(
        cellID: String, workload: String, parameters: String, metric: Metric, baseArm: Arm, arm: Arm,
        baseMedian: Double? = nil, armMedian: Double? = nil,
        baseP95: Double? = nil, armP95: Double? = nil, estimate: RatioEstimate? = nil, margin: Margin, stage: Int = 1,
        probability: Double? = nil,
        correctedProbability: Double? = nil, chanceShare: Double? = nil, verdict: Verdict, reason: String = "",
        isPlanSame: Bool? = nil,
        isDigestSame: Bool? = nil, version: String
    ) {
        self.cellID = cellID
        self.workload = workload
        self.parameters = parameters
        self.metric = metric
        self.baseArm = baseArm
        self.arm = arm
        self.baseMedian = baseMedian
        self.armMedian = armMedian
        self.baseP95 = baseP95
        self.armP95 = armP95
        self.estimate = estimate
        self.margin = margin
        self.stage = stage
        self.probability = probability
        self.correctedProbability = correctedProbability
        self.chanceShare = chanceShare
        self.verdict = verdict
        self.reason = reason
        self.isPlanSame = isPlanSame
        self.isDigestSame = isDigestSame
        self.version = version
    }

    /// Whether it is in a list of differences from another build.
    package var isListed: Bool { chanceShare.map { $0 <= MultipleTests.listedShare } ?? false }

    /// What identifies the row in every run: cell, metric and pair of arms.
    package var key: String { [cellID, metric.name, baseArm.name, arm.name].joined(separator: " ") }
}
