import Soups

/// Judges a whole run: the rows of all cells, the second look if there was one, and whether the run is valid at all.
package struct RunJudge {
    /// With the rows of each cell after the first look; margins are widened by what two builds of one source show.
    private let judged: [(judge: CellJudge, rows: [SummaryRow])]
    private let gate: TwoStageGate

    /// - Parameter offsets: What accepted runs say about rows of equal builds.
    package init(
        _ cells: [PlannedCell], samples: [Sample], gate: TwoStageGate = TwoStageGate(), offsets: BuildOffsets = .none
    ) {
        let byCell = Dictionary(grouping: samples) { ByteKey($0.cellID) }
        let judges = cells.map { CellJudge($0, samples: byCell[ByteKey($0.cell.id)] ?? [], level: gate.level) }
        let rows = Self.widened(judges.map { $0.rows() }, judges, offsets)
        judged = zip(judges, rows).map { (judge: $0, rows: $1) }
        self.gate = gate
    }

    /// Widens the margins of rows of two builds by the spread of this run's null rows, each clock by its own, or by
    /// what the row itself showed between equal builds in accepted runs, if that is more. Judges these rows again.
    private static func widened(
        _ rows: [[SummaryRow]], _ judges: [CellJudge], _ offsets: BuildOffsets
    ) -> [[SummaryRow]] {
        func isOfTwoBuilds(_ row: SummaryRow) -> Bool { Cell.Comparison(row.baseArm, row.arm).isOfTwoBuilds }
        var deviations: [Metric: Double] = [:]
        for metric in [Metric.wall, .cpu] {
            let null = rows.joined().filter { $0.metric == metric && isOfTwoBuilds($0) && $0.verdict != .invalid }
            deviations[metric] = BuildSpread.deviation(null.compactMap(\.estimate))
        }
        return zip(rows, judges).map { rows, judge in
            rows.map { row in
                let isNull = isOfTwoBuilds(row)
                let learnt = isNull ? nil : offsets.deviation(of: row)
                guard isNull || gates(row, judge.planned.cell), row.verdict != .invalid,
                    let deviation = [deviations[row.metric], learnt].compactMap(\.self).max()
                else {
                    return row
                }
                var row = row
                let factor = isNull ? BuildSpread.ofNullRows : BuildSpread.ofGatingRows
                row.margin = row.margin.raised(byLog: factor * deviation)
                row.verdict = Verdict(row.estimate, margin: row.margin)
                let ranks = judge.logRatios(Cell.Comparison(row.baseArm, row.arm), row.metric, .first)
                row.probability =
                    ranks.pairs > 0 ? ranks.probability(centreAtMost: Exponential.log(row.margin.upper)) : nil
                return row
            }
        }
    }

    /// Whether a comparison gates: this build against another one. What back ends cost is a finding, not a fault.
    package static func gates(_ comparison: Cell.Comparison) -> Bool {
        comparison.base.build != nil && comparison.arm.build == nil
    }

    /// Whether a row can become red by the clock. Processor time counts as well as elapsed time, because it does not
    /// include waiting for a disk or the time of other processes. A row without a pair, of work that one build cannot
    /// do, decides nothing and gets no second look.
    private static func gates(_ row: SummaryRow, _ cell: Cell) -> Bool {
        guard gates(Cell.Comparison(row.baseArm, row.arm)), !cell.isControl, !row.metric.isExact, row.estimate != nil
        else {
            return false
        }
        return row.metric == cell.primary || (cell.primary == .wall && row.metric == .cpu)
    }

    /// Whether a row shows that one source built twice has two speeds here. There is such a row in every cell, so a
    /// single look would often be chance.
    private static func isMovedNull(_ row: SummaryRow) -> Bool {
        row.metric == .wall && Cell.Comparison(row.baseArm, row.arm).isOfTwoBuilds
            && [.faster, .slower].contains(row.verdict)
    }

    /// The cells that deserve a second look: first those that looked slower, because only they can become red, then the
    /// undecided ones.
    package func suspects() -> (slower: [PlannedCell], undecided: [PlannedCell]) {
        var found: (slower: [PlannedCell], undecided: [PlannedCell]) = ([], [])
        for (judge, rows) in judged {
            let rows = rows.filter { row in
                if Self.isMovedNull(row) {
                    return true
                }
                return Self.gates(row, judge.planned.cell) && row.verdict != .invalid
                    && gate.isSuspect(row.estimate, margin: row.margin)
            }
            var planned = judge.planned
            planned.comparisons = planned.comparisons.filter { comparison in
                rows.contains { $0.arm == comparison.arm && $0.baseArm == comparison.base }
            }
            planned.arms = planned.arms.filter { arm in planned.comparisons.contains { $0.base == arm || $0.arm == arm }
            }
            if planned.comparisons.isEmpty {
                continue
            }
            if rows.contains(where: { $0.verdict == .slower }) {
                found.slower.append(planned)
            } else {
                found.undecided.append(planned)
            }
        }
        return found
    }

    /// All rows. Rows that gate on the clock are red only after both looks; counters need one.
    package func rows() -> [SummaryRow] {
        var rows: [SummaryRow] = []
        var twice: [(index: Int, row: TwoStageGate.Row)] = []
        var tested: [(index: Int, probability: Double)] = []
        for (judge, own) in judged {
            for row in own {
                if Self.gates(row, judge.planned.cell), row.verdict != .invalid {
                    let comparison = Cell.Comparison(row.baseArm, row.arm)
                    let first = judge.logRatios(comparison, row.metric, .first)
                    let second = judge.logRatios(comparison, row.metric, .second)
                    if second.pairs > 0 {
                        twice.append((rows.count, .init(first: first, second: second, margin: row.margin)))
                    }
                    tested.append((rows.count, (second.pairs > 0 ? second : first).probability(beyond: row.margin)))
                }
                rows.append(Self.isMovedNull(row) ? secondOpinion(row, judge) : row)
            }
        }
        for ((index, row), decision) in zip(twice, gate.decide(twice.map(\.row))) {
            rows[index].stage = 2
            rows[index].estimate = RatioEstimate(row.second, level: gate.level)
            rows[index].probability = decision.probability
            rows[index].correctedProbability = decision.corrected
            rows[index].verdict = decision.verdict
            let isUnconfirmed =
                decision.verdict == .inconclusive
                && Verdict(rows[index].estimate, margin: rows[index].margin) == .slower
            rows[index].reason =
                isUnconfirmed ? "slower at the second look only, or not after correction for all rows" : ""
        }
        for (one, share) in zip(tested, MultipleTests.benjaminiHochberg(tested.map(\.probability))) {
            rows[one.index].chanceShare = share
        }
        for index in rows.indices
        where rows[index].stage == 1 && rows[index].verdict == .slower && !rows[index].metric.isExact {
            guard Self.gates(.init(rows[index].baseArm, rows[index].arm)), !rows[index].isControl
            else {
                continue
            }
            rows[index].verdict = .inconclusive
            rows[index].reason = "slower at the first look; no second look confirmed it"
        }
        return rows
    }

    /// A null row after the second look, if there was one: it moved only if both looks say so, in the same direction.
    private func secondOpinion(_ row: SummaryRow, _ judge: CellJudge) -> SummaryRow {
        let second = judge.logRatios(Cell.Comparison(row.baseArm, row.arm), row.metric, .second)
        guard second.pairs > 0 else {
            return row
        }
        var row = row
        row.stage = 2
        if Verdict(RatioEstimate(second, level: gate.level), margin: row.margin) != row.verdict {
            row.verdict = .inconclusive
            row.reason = "moved at the first look only"
        }
        return row
    }

    /// The verdicts on all rows that gate together, for each other build and each clock. Second looks do not count,
    /// because their rows were selected.
    package func suite() -> [SuiteVerdict] {
        var groups: [(what: String, rows: [[Int: Double]])] = []
        for (judge, rows) in judged {
            for row in rows
            where Self.gates(row, judge.planned.cell) && row.verdict != .invalid
                && (row.metric == .wall || row.metric == .cpu)
            {
                let ratios = judge.logRatiosByBlock(Cell.Comparison(row.baseArm, row.arm), row.metric)
                let what = "\(row.metric) against \(row.baseArm.build ?? "")"
                if let index = groups.firstIndex(where: { ByteKey($0.what) == ByteKey(what) }) {
                    groups[index].rows.append(ratios)
                } else {
                    groups.append((what, [ratios]))
                }
            }
        }
        return groups.compactMap { group in
            let rounds = Set(group.rows.flatMap(\.keys)).sorted().map { round in group.rows.map { $0[round] } }
            return GeometricMean.estimate(rounds: rounds, level: gate.level).map {
                SuiteVerdict(what: group.what, rows: group.rows.count, estimate: $0)
            }
        }
    }

    /// What makes the run invalid as a whole: a control or null row that moved, or an invalid row. Each reason is given
    /// once for a cell.
    package static func faults(in rows: [SummaryRow]) -> [String] {
        var reported: Set<ByteKey> = []
        return rows.compactMap { row in
            if row.verdict == .invalid {
                return reported.insert(ByteKey(row.cellID + row.reason)).inserted ? "\(row.cellID): \(row.reason)" : nil
            }
            guard row.metric == .wall, [.faster, .slower].contains(row.verdict), let ratio = row.estimate?.ratio else {
                return nil
            }
            let comparison = Cell.Comparison(row.baseArm, row.arm)
            let kind = row.isControl ? "control" : comparison.isNull ? "null" : nil
            let shown = (ratio * 1_000).rounded() / 1_000
            let meaning =
                comparison.isOfTwoBuilds
                ? "one source built twice differs by more than the margin, so the layout of the code hides the effect of a change here"
                : "this machine was not fit to measure"
            return kind.map {
                "\(row.cellID): the \($0) row moved, \(row.arm) / \(row.baseArm) is \(shown): \(meaning)"
            }
        }
    }
}
