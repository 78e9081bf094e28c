import Soups

/// Compares a run with a stored one: exact counters, ratios of arms, and, on the same kind of machine only, times.
///
/// What differs in definition, documents or libraries is named as incomparable and never judged. Source: benchmarking method, "across machines".
public struct RunComparison: Sendable {
    public struct Row: Sendable, Hashable {
        public enum Kind: String, Sendable {
            /// A count of one arm: equal, or not.
            case counter
            /// A ratio of two arms, measured side by side in each run.
            case ratio
            /// The time of one arm: told, never gating.
            case time
        }

        public let kind: Kind
        public let cellID: String
        public let metric: Metric
        /// The arm, or `arm / base` of a ratio.
        public let arms: String
        public let stored: Double
        public let new: Double
        /// new / stored.
        public let change: RatioEstimate
        public let margin: Margin
        public var correctedProbability: Double?
        public var verdict: Verdict
        /// Whether a `slower` of this row makes the check red once it is confirmed.
        public let gates: Bool

        public var key: String { [kind.rawValue, cellID, metric.name, arms].joined(separator: " ") }
    }

    /// A cell that cannot be compared, with the reason.
    public struct Incomparable: Sendable, Hashable {
        public let cellID: String
        public let reason: String
    }

    public let rows: [Row]
    public let incomparable: [Incomparable]
    /// Whether both ran on the same kind of machine.
    public let isSameMachine: Bool

    public init(new: StoredReport, stored: StoredReport) {
        isSameMachine = ByteKey(new.record.fingerprint) == ByteKey(stored.record.fingerprint)
        let sameLibraries = ByteKey(new.record.libraries) == ByteKey(stored.record.libraries)
        var incomparable: [Incomparable] = []
        var rows: [Row] = []
        for (cellID, version) in stored.record.cellVersions {
            guard let own = new.record.version(of: cellID) else { continue }
            if ByteKey(own) != ByteKey(version) {
                incomparable.append(Incomparable(cellID: cellID, reason: "the cell's definition changed (\(version), now \(own))"))
            } else if let corpus = Self.changedCorpus(of: cellID, new.record, stored.record) {
                incomparable.append(Incomparable(cellID: cellID, reason: "the documents of \(corpus) changed"))
            } else if !sameLibraries, cellID != ControlCells.workload {
                incomparable.append(Incomparable(cellID: cellID, reason: "the libraries differ (stored: \(stored.record.libraries); now: \(new.record.libraries))"))
            } else {
                rows += Self.compare(cellID, new: new, stored: stored, isSameMachine: isSameMachine)
            }
        }
        self.incomparable = incomparable
        self.rows = Self.corrected(rows)
    }

    private static func changedCorpus(of cellID: String, _ new: RunRecord, _ stored: RunRecord) -> String? {
        for corpus in stored.corpora {
            guard let own = new.corpora.first(where: { ByteKey($0.name) == ByteKey(corpus.name) }), ByteKey(own.hash) != ByteKey(corpus.hash) else { continue }
            if corpus.name.utf8Contains("generated/") ? cellID.utf8Contains("entries=") && !cellID.utf8Contains("corpus=") : cellID.utf8Contains("corpus=\(corpus.name)") {
                return corpus.name
            }
        }
        return nil
    }

    private static func compare(_ cellID: String, new: StoredReport, stored: StoredReport, isSameMachine: Bool) -> [Row] {
        var found: [Row] = []
        var counted: Set<ByteKey> = []
        for old in stored.rows where ByteKey(old.cellID) == ByteKey(cellID) && old.verdict != .invalid {
            guard let own = new.rows.first(where: { ByteKey($0.key) == ByteKey(old.key) }), own.verdict != .invalid else { continue }
            let sides = [(old.baseArm, old.baseMedian, own.baseMedian), (old.arm, old.armMedian, own.armMedian)]
            if old.metric.isExact {
                for (arm, before, after) in sides {
                    guard let before, let after, counted.insert(ByteKey(old.metric.name + " " + arm.name)).inserted else { continue }
                    found.append(row(.counter, old, arms: arm.name, before, after, exact(before, after), margin: old.metric.margin(smallest: before), gates: true))
                }
                continue
            }
            guard old.metric == .wall else { continue }
            if let before = old.estimate, let after = own.estimate, old.arm != .plainAgain, ByteKey(old.workload) != ByteKey(ControlCells.workload) {
                let margin = isSameMachine ? old.margin : old.margin.times(2)
                found.append(
                    row(
                        .ratio, old, arms: "\(old.arm) / \(old.baseArm)", before.ratio, after.ratio, StoredRatio.change(new: after, stored: before), margin: margin,
                        gates: isSameMachine))
            }
            guard isSameMachine else { continue }
            for (arm, before, after) in sides {
                guard let before, let after, before > 0, after > 0, counted.insert(ByteKey("time " + arm.name)).inserted else { continue }
                found.append(row(.time, old, arms: arm.name, before, after, exact(before, after), margin: Margin(0.10), gates: false))
            }
        }
        return found
    }

    private static func row(
        _ kind: Row.Kind, _ old: SummaryRow, arms: String, _ before: Double, _ after: Double, _ change: RatioEstimate, margin: Margin, gates: Bool
    ) -> Row {
        Row(
            kind: kind, cellID: old.cellID, metric: old.metric, arms: arms, stored: before, new: after, change: change, margin: margin,
            verdict: Verdict(change, margin: margin), gates: gates)
    }

    private static func exact(_ before: Double, _ after: Double) -> RatioEstimate {
        // Nothing before and something now is infinitely more; there is no number for it, so the largest stands in.
        let ratio = before == after ? 1 : before > 0 ? after / before : Double.greatestFiniteMagnitude
        return RatioEstimate(ratio: ratio, interval: .init(low: ratio, high: ratio, level: 1), pairs: 1)
    }

    /// Corrects the ratios' probabilities for their number: a row that is slower by its own interval only becomes inconclusive.
    private static func corrected(_ rows: [Row]) -> [Row] {
        var rows = rows
        let places = rows.indices.filter { rows[$0].kind == .ratio && rows[$0].change.interval != nil }
        let probabilities = places.map { NormalTail.probability(rows[$0].change, above: rows[$0].margin.upper) ?? 1 }
        for (place, corrected) in zip(places, MultipleTests.holm(probabilities)) {
            rows[place].correctedProbability = corrected
            if rows[place].verdict == .slower, corrected > 0.025 { rows[place].verdict = .inconclusive }
        }
        return rows
    }
}

extension RunComparison {
    /// Cells with a ratio that looks slower and gates: they deserve a second session.
    public var suspects: [String] {
        var found: [String] = []
        for row in rows where row.kind == .ratio && row.gates && row.verdict == .slower && !found.contains(where: { ByteKey($0) == ByteKey(row.cellID) }) {
            found.append(row.cellID)
        }
        return found
    }

    /// The regressions: counters that grew, and ratios that are slower here and in the confirming comparison too.
    public func regressions(confirmedBy second: RunComparison?) -> [Row] {
        rows.filter { row in
            guard row.gates, row.verdict == .slower else { return false }
            return row.kind == .counter || second?.rows.contains { ByteKey($0.key) == ByteKey(row.key) && $0.verdict == .slower } == true
        }
    }
}
