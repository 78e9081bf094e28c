import Soups

/// Compares a run with a stored one: exact counters, ratios of arms, and, on the same kind of machine only, times.
///
/// Figures whose definition, documents or libraries differ are named as incomparable and never judged. Figures that are
/// missing, or were measured under other settings, are invalid.
package struct RunComparison: Sendable {
    package struct Row: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            /// A count of one arm: equal, or not.
            case counter
            /// A ratio of two arms, measured side by side in each run.
            case ratio
            /// The time of one arm: for information only, it never gates.
            case time
        }

        package let kind: Kind
        package let cellID: String
        package let metric: Metric
        /// The arm, or `arm / base` of a ratio.
        package let arms: String
        package let stored: Double
        /// nil if the new run lacks it.
        package let new: Double?
        /// new / stored.
        package var change: RatioEstimate?
        package let margin: Margin
        /// How far such a ratio moves between runs, as a half width of ln ratio that is part of the change's interval;
        /// 0 for what is not a ratio.
        package var spread = 0.0
        /// Whether `spread` comes from the row's own history; otherwise it is assumed.
        package var isSpreadKnown = false
        /// The margin before it was widened to what the null row of the cell had in stored runs; nil if it was not.
        package var widenedFrom: Margin?
        /// The last level of the row's history over its first, if that is beyond the margin although this comparison is
        /// not: slow creep. For information only; it does not gate.
        package var creep: Double?
        /// The probability of such a change if the row had stayed within its margin, corrected for all ratios (Holm).
        /// This figure gates.
        package var correctedProbability: Double?
        /// The share of chance findings to expect among the ratios that differ as clearly as this one or more
        /// (Benjamini-Hochberg). This figure is listed.
        package var chanceShare: Double?
        package var verdict: Verdict
        /// Whether a `slower` of this row makes the check red once it is confirmed.
        package var gates: Bool
        /// Why the row is invalid or undecided, or what else changed.
        package var reason = ""

        /// Whether it is in a list of differences. Counters differ or do not; ratios are listed so that only few of
        /// them are there by chance.
        package var isListed: Bool {
            kind == .ratio
                ? chanceShare.map { $0 <= MultipleTests.listedShare } ?? false
                : verdict == .slower || verdict == .faster
        }

        package var key: String { [kind.rawValue, cellID, metric.name, arms].joined(separator: " ") }
    }

    /// A cell that cannot be compared, with the reason.
    package struct Incomparable: Sendable, Hashable {
        package let cellID: String
        package let reason: String
    }

    package let rows: [Row]
    package let incomparable: [Incomparable]
    /// The cells of the stored run that the new one does not have, and those that only it has.
    package let notMeasured: [String]
    package let notStored: [String]
    /// Whether both ran on the same kind of machine.
    package let isSameMachine: Bool
    package let kinds: Set<Row.Kind>
    /// How many of the rows that gate were compared.
    package let coverage: Coverage
    /// How many times as long the work takes now as in the stored run, as the median over all times, on the same kind
    /// of machine: times are divided by it before they are shown. nil with fewer than `fewestTimes` times.
    package let timeChange: Double?
    /// Of fewer times the median is the change of a few rows, not that of the machine or of the whole program.
    static let fewestTimes = 10

    /// Compares what both runs have.
    ///
    /// - Parameters:
    ///   - kinds: What to compare; counters alone need no reliable clock.
    ///   - history: What accepted reports of this kind of machine say about the rows.
    ///   - asked: The cells to compare; the control is always among them.
    ///   - instructionsAreOptional: Whether counts of instructions are left out where they cannot be compared, because
    ///     compiler, C library or processor differ.
    package init(
        new: StoredReport, stored: StoredReport, kinds: Set<Row.Kind> = Set(Row.Kind.allCases),
        history: RowHistory = .none, asked: AskedCells = .all, instructionsAreOptional: Bool = false
    ) {
        let leavesOutInstructions =
            instructionsAreOptional
            && ByteKey(new.record.instructionFacts) != ByteKey(stored.record.instructionFacts)
        self.kinds = kinds
        isSameMachine = ByteKey(new.record.fingerprint) == ByteKey(stored.record.fingerprint)
        var incomparable: [Incomparable] = []
        var notMeasured: [String] = []
        var rows: [Row] = []
        var coverage = Coverage()
        for (cellID, version) in stored.record.cellVersions {
            // The control judges the machine; that it was compared says nothing about the work.
            let isControl = Control.isControl(cellID)
            guard isControl || asked.contains(cellID) else { continue }
            var found: [Row] = []
            if !Self.isMeasured(cellID, new) {
                notMeasured.append(cellID)
            } else if let reason = Self.change(of: cellID, version, new.record, stored.record) {
                incomparable.append(Incomparable(cellID: cellID, reason: reason))
            } else {
                var cell = CellComparison(
                    cellID, new: new, stored: stored, isSameMachine: isSameMachine, history: history)
                found = cell.rows(kinds)
                let libraries =
                    cell.librariesDiffer
                    ? "the libraries differ (stored: \(stored.record.libraries); now: \(new.record.libraries))" : nil
                for reason in [cell.countsObstacle, libraries].compactMap(\.self) {
                    incomparable.append(Incomparable(cellID: cellID, reason: reason))
                }
            }
            if !isControl {
                let expected = CellComparison.expected(cellID, stored, kinds: kinds, isSameMachine: isSameMachine)
                coverage.add(cellID, expected: expected, found: found) {
                    leavesOutInstructions && $0.metric.dependsOnBuild
                }
            }
            rows += found
        }
        self.incomparable = incomparable
        self.notMeasured = notMeasured
        notStored = new.record.cellVersions.map(\.id).filter { stored.record.version(of: $0) == nil }
        timeChange = Self.timeChange(rows)
        self.rows = Self.corrected(Self.relative(rows, to: timeChange))
        self.coverage = coverage
    }

    /// Whether a run has a cell. A run that is out of time has cells that it did not reach.
    private static func isMeasured(_ cellID: String, _ run: StoredReport) -> Bool {
        let isReached = run.record.ending != .outOfTime || run.rows.contains { ByteKey($0.cellID) == ByteKey(cellID) }
        return isReached && run.record.version(of: cellID) != nil
    }

    /// Why a cell measures something else now than in the stored run; `nil` if it measures the same.
    private static func change(
        of cellID: String, _ version: String, _ new: RunRecord, _ stored: RunRecord
    ) -> String? {
        guard new.version(of: cellID).map({ ByteKey($0) }) == ByteKey(version) else {
            return "the definition of the cell changed"
        }
        return changedCorpus(of: cellID, new, stored).map { "the documents of \($0) changed" }
    }

    private static func timeChange(_ rows: [Row]) -> Double? {
        let changes = rows.compactMap { $0.kind == .time ? $0.change?.ratio : nil }
        return changes.count < fewestTimes ? nil : Quantiles.median(changes)
    }

    /// Divides the changes of times by that of all of them: what is left is what one row does more than the others.
    private static func relative(_ rows: [Row], to whole: Double?) -> [Row] {
        guard let whole, whole > 0 else {
            return rows
        }
        return rows.map { row in
            guard row.kind == .time, let change = row.change else {
                return row
            }
            var row = row
            row.change = RatioEstimate.exact(before: whole, after: change.ratio)
            row.verdict = Verdict(row.change, margin: row.margin)
            return row
        }
    }

    /// The name of the documents that a cell measured with then, if they are others now.
    private static func changedCorpus(of cellID: String, _ new: RunRecord, _ stored: RunRecord) -> String? {
        stored.corpora.first { corpus in
            guard corpus.isUsed(byCell: cellID) else { return false }
            let own = new.corpora.first { ByteKey($0.name) == ByteKey(corpus.name) }
            // A generated corpus of another size is not needed by the cells that were measured; a file of the user is.
            return own.map { ByteKey($0.hash) != ByteKey(corpus.hash) } ?? !corpus.isGenerated
        }?.name
    }

    /// Corrects the ratios' probabilities for their number: a row that is slower only by its own interval becomes
    /// inconclusive, and may be listed.
    private static func corrected(_ rows: [Row]) -> [Row] {
        var rows = rows
        let tested = rows.indices.compactMap { index -> (index: Int, slower: Double, different: Double)? in
            guard rows[index].kind == .ratio, let change = rows[index].change, change.interval != nil else {
                return nil
            }
            let margin = rows[index].margin
            return (
                index, NormalTail.probability(change, above: margin.upper) ?? 1,
                NormalTail.probability(change, beyond: margin) ?? 1
            )
        }
        for (one, corrected) in zip(tested, MultipleTests.holm(tested.map(\.slower))) {
            rows[one.index].correctedProbability = corrected
            if rows[one.index].verdict == .slower, corrected > 0.025 {
                rows[one.index].verdict = .inconclusive
                rows[one.index].reason +=
                    (rows[one.index].reason.isEmpty ? "" : "; ") + "slower, but not after correction for all ratios"
            }
        }
        for (one, share) in zip(tested, MultipleTests.benjaminiHochberg(tested.map(\.different))) {
            rows[one.index].chanceShare = share
        }
        return rows
    }
}

extension RunComparison {
    /// Cells with a ratio that looks slower and gates: they deserve a second session.
    package var suspects: [String] {
        var found: [String] = []
        for row in rows
        where row.kind == .ratio && row.gates && row.verdict == .slower
            && !found.contains(where: { ByteKey($0) == ByteKey(row.cellID) })
        {
            found.append(row.cellID)
        }
        return found
    }

    /// What makes the comparison invalid: rows that are missing, or were measured under other settings.
    package var faults: [String] {
        rows.filter { $0.verdict == .invalid }.map { "\($0.cellID), \($0.metric) of \($0.arms): \($0.reason)" }
    }

    /// The verdict on all ratios that have an interval; `nil` if no ratio has one. The spread between runs is assumed
    /// to be common to all rows, because stored reports cannot show that it is not.
    package var suite: SuiteVerdict? {
        var cells: [ByteKey: [GeometricMean.Change]] = [:]
        var order: [ByteKey] = []
        for row in rows where row.kind == .ratio && row.verdict != .invalid {
            guard let change = row.change, change.interval != nil else { continue }
            let cell = ByteKey(row.cellID)
            if cells[cell] == nil {
                order.append(cell)
            }
            cells[cell, default: []].append(.init(change, common: row.spread))
        }
        let groups = order.compactMap { cells[$0] }
        return GeometricMean.estimate(groups: groups).map {
            SuiteVerdict(
                what: "stored ratios", rows: groups.reduce(0) { $0 + $1.count }, estimate: $0, gates: isSameMachine)
        }
    }

    /// Whether the suite as a whole is slower here and in a confirming comparison of no fewer rows.
    package func isSuiteSlower(confirmedBy second: RunComparison?) -> Bool {
        guard let suite, suite.isRegression, let again = second?.suite else { return false }
        return again.isRegression && again.rows >= suite.rows
    }

    /// Whether a row that gates is undecided: neither shown to be no slower nor a confirmed regression, or slower here
    /// while the confirming comparison lacks it or cannot decide either.
    package func isUndecided(confirmedBy second: RunComparison?) -> Bool {
        let red = regressions(confirmedBy: second)
        let isRowOpen = rows.contains { row in
            guard row.gates else { return false }
            if row.verdict == .inconclusive {
                return true
            }
            guard row.verdict == .slower, !red.contains(row) else { return false }
            let again = second?.rows.first { ByteKey($0.key) == ByteKey(row.key) }?.verdict
            return again != .same && again != .faster
        }
        let isSuiteOpen =
            suite?.isRegression == true && !isSuiteSlower(confirmedBy: second)
            && ![.same, .faster].contains(second?.suite?.verdict)
        return isRowOpen || isSuiteOpen
    }

    /// The regressions: counters that grew, and ratios that are slower here and in the confirming comparison too.
    package func regressions(confirmedBy second: RunComparison?) -> [Row] {
        rows.filter { row in
            guard row.gates, row.verdict == .slower else { return false }
            return row.kind == .counter
                || second?.rows.contains { ByteKey($0.key) == ByteKey(row.key) && $0.verdict == .slower } == true
        }
    }
}
