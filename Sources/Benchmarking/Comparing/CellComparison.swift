import Soups

/// Compares one cell of two runs that have the same definition of it and the same documents.
struct CellComparison {
    typealias Row = RunComparison.Row

    private let cellID: String
    private let new: StoredReport
    private let stored: StoredReport
    private let isSameMachine: Bool
    private let history: RowHistory
    private let newRows: [SummaryRow]
    private let storedRows: [SummaryRow]
    /// Whether something was left out because an arm ran on another version or build of its library. Set when the rows
    /// are made.
    private(set) var librariesDiffer = false
    /// Why instructions could not be compared. Set when the rows are made.
    private(set) var countsObstacle: String?

    init(
        _ cellID: String, new: StoredReport, stored: StoredReport, isSameMachine: Bool, history: RowHistory
    ) {
        self.cellID = cellID
        self.new = new
        self.stored = stored
        self.isSameMachine = isSameMachine
        self.history = history
        newRows = new.rows.filter { ByteKey($0.cellID) == ByteKey(cellID) }
        storedRows = stored.rows.filter { ByteKey($0.cellID) == ByteKey(cellID) && $0.verdict != .invalid }
    }

    /// The rows of a stored report's cell that a run on such a machine should have: those of its comparison with
    /// itself.
    static func expected(
        _ cellID: String, _ stored: StoredReport, kinds: Set<Row.Kind>, isSameMachine: Bool
    ) -> [Row] {
        var cell = CellComparison(
            cellID, new: stored, stored: stored, isSameMachine: isSameMachine, history: .none)
        return cell.rows(kinds)
    }

    mutating func rows(_ kinds: Set<Row.Kind>) -> [Row] {
        var found: [Row] = []
        var done: Set<ByteKey> = []
        for old in storedRows {
            let sides = [old.baseArm, old.arm].filter { $0 != .none }
            if old.metric.isExact {
                guard kinds.contains(.counter) else { continue }
                for arm in sides where done.insert(ByteKey(old.metric.name + " " + arm.name)).inserted {
                    if let row = counter(old.metric, arm) {
                        found.append(row)
                    }
                }
            } else if old.metric == .wall || old.isProcessorTimeOverFloor {
                if kinds.contains(.ratio), let row = ratio(old) {
                    found.append(row)
                }
                guard kinds.contains(.time), isSameMachine, old.metric == .wall else { continue }
                for arm in sides where done.insert(ByteKey("time " + arm.name)).inserted {
                    if let row = time(arm) {
                        found.append(row)
                    }
                }
            }
        }
        return found
    }

    // MARK: - Kinds of rows

    private mutating func counter(_ metric: Metric, _ arm: Arm) -> Row? {
        guard !metric.dependsOnBuild || areInstructionsComparable(arm) else {
            return nil
        }
        // The number of rows that a query returns does not depend on the library.
        guard metric == .rows || isSameLibrary(arm), let before = Side(storedRows, metric, arm) else {
            return nil
        }
        guard let after = Side(newRows, metric, arm) else {
            return missing(.counter, metric, arm.name, before.value)
        }
        let change = RatioEstimate.exact(before: before.value, after: after.value)
        let margin = metric.margin(smallest: before.value)
        var row = Row(
            kind: .counter, cellID: cellID, metric: metric, arms: arm.name, stored: before.value, new: after.value,
            change: change, margin: margin,
            verdict: Verdict(change, margin: margin), gates: before.isSteady)
        if !after.isSteady {
            row.verdict = .inconclusive
            row.reason = "the counter is not the same in every block"
        }
        return withSettingsChecked(row, [arm])
    }

    private mutating func ratio(_ old: SummaryRow) -> Row? {
        guard let before = old.estimate, old.arm != .plainAgain, !old.isControl,
            isSameLibrary(old.baseArm),
            isSameLibrary(old.arm)
        else {
            return nil
        }
        let arms = "\(old.arm) / \(old.baseArm)"
        let own = newRows.first { ByteKey($0.key) == ByteKey(old.key) }
        if own?.verdict == .invalid {
            return nil
        }
        guard let own, let after = own.estimate else {
            return missing(.ratio, old.metric, arms, before.ratio)
        }
        let known = history.spread(of: old)
        let spread = known ?? StoredRatio.unknownSpread
        let change = StoredRatio.change(new: after, stored: before, spread: spread)
        let usual = isSameMachine ? old.margin : old.margin.times(2)
        let margin = usual.widened(toNullHalfWidth: history.nullHalfWidth(of: old))
        var row = Row(
            kind: .ratio, cellID: cellID, metric: old.metric, arms: arms, stored: before.ratio, new: after.ratio,
            change: change, margin: margin,
            spread: spread, isSpreadKnown: known != nil, widenedFrom: margin == usual ? nil : usual,
            verdict: Verdict(change, margin: margin),
            gates: isSameMachine)
        if row.verdict != .slower, let growth = history.growth(of: old, upTo: after.ratio), growth > margin.upper {
            row.creep = growth
        }
        for arm in [old.baseArm, old.arm] where isPlanChanged(arm) {
            row.reason = "the query plan of \(arm) changed"
        }
        return withSettingsChecked(row, [old.baseArm, old.arm])
    }

    private mutating func time(_ arm: Arm) -> Row? {
        guard isSameLibrary(arm), let before = Side(storedRows, .wall, arm), let after = Side(newRows, .wall, arm),
            before.value > 0, after.value > 0
        else {
            return nil
        }
        let change = RatioEstimate.exact(before: before.value, after: after.value)
        return Row(
            kind: .time, cellID: cellID, metric: .wall, arms: arm.name, stored: before.value, new: after.value,
            change: change, margin: Margin(0.10),
            verdict: Verdict(change, margin: Margin(0.10)), gates: false,
            reason: isPlanChanged(arm) ? "the query plan changed" : "")
    }

    private func missing(_ kind: Row.Kind, _ metric: Metric, _ arms: String, _ before: Double) -> Row? {
        // An invalid cell is reported as a fault of the run.
        if newRows.contains(where: { $0.verdict == .invalid }) {
            return nil
        }
        return Row(
            kind: kind, cellID: cellID, metric: metric, arms: arms, stored: before, new: nil, change: nil,
            margin: Margin(0), verdict: .invalid, gates: true,
            reason: "missing in this run, but not in the stored report")
    }

    // MARK: - What figures depend on

    private mutating func isSameLibrary(_ arm: Arm) -> Bool {
        let isSame = ByteKey(new.record.library(of: arm)) == ByteKey(stored.record.library(of: arm))
        if !isSame {
            librariesDiffer = true
        }
        return isSame
    }

    /// Whether the instructions of an arm were counted, by programs of the same compiler on the same kind of processor.
    private mutating func areInstructionsComparable(_ arm: Arm) -> Bool {
        if ByteKey(new.record.instructionFacts) != ByteKey(stored.record.instructionFacts) {
            countsObstacle =
                "instructions depend on compiler, C library and processor (stored: \(stored.record.instructionFacts); now: \(new.record.instructionFacts))"
        } else if Side(newRows, .instructions, arm) == nil {
            countsObstacle = "instructions were not counted twice alike in this run, or not at all"
        }
        return countsObstacle == nil
    }

    private func withSettingsChecked(_ row: Row, _ arms: [Arm]) -> Row {
        var row = row
        for arm in arms where new.record.settings(of: arm) != stored.record.settings(of: arm) {
            row.verdict = .invalid
            row.reason = "the settings of \(arm) differ from the stored report's"
        }
        return row
    }

    private func isPlanChanged(_ arm: Arm) -> Bool {
        guard let before = stored.record.plan(of: cellID, arm), let after = new.record.plan(of: cellID, arm) else {
            return false
        }
        return ByteKey(before) != ByteKey(after)
    }
}

/// One arm's figure of a metric, from whichever row has it.
private struct Side {
    let value: Double
    /// Whether a counter was the same in every block. A row with a ratio says so; without one the counter counts as
    /// steady if its median equals its 95th percentile.
    let isSteady: Bool

    init?(_ rows: [SummaryRow], _ metric: Metric, _ arm: Arm) {
        let own = rows.filter { $0.metric == metric && $0.verdict != .invalid && ($0.arm == arm || $0.baseArm == arm) }
        guard let value = own.lazy.compactMap({ $0.baseArm == arm ? $0.baseMedian : $0.armMedian }).first else {
            return nil
        }
        self.value = value
        isSteady = own.contains { row in
            guard row.estimate == nil else {
                return row.estimate?.interval != nil
            }
            return row.baseArm == arm ? row.baseMedian == row.baseP95 : row.armMedian == row.armP95
        }
    }
}

extension SummaryRow {
    /// Whether the row compares the processor time of the store with that of the floor. It gates as well as the elapsed
    /// time, because it does not include waiting for the disk, which is much of a write.
    fileprivate var isProcessorTimeOverFloor: Bool {
        metric == .cpu && Cell.Comparison(baseArm, arm).isOverFloor
    }
}
