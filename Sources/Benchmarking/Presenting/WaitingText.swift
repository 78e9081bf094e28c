import Soups

/// Names the work that waits: where the processor's time is less than half of the elapsed time, the disk or something
/// else decides how long it takes.
enum WaitingText {
    /// Below this share of processor time an arm counts as waiting.
    static let share = 0.5

    /// `upsert-single/entries=1000 (plain 12 %, cipher 18 %)`, by cell, in the order of the run. Work on several
    /// threads takes more than the elapsed time.
    static func cells(_ rows: [SummaryRow]) -> [String] {
        var found: [(cell: String, arms: [(arm: Arm, share: Double)])] = []
        let processor = Dictionary(rows.filter { $0.metric == .cpu }.map { (ByteKey(key($0)), $0) }) { first, _ in first
        }
        for row in rows where row.metric == .wall && row.verdict != .invalid {
            guard let cpu = processor[ByteKey(key(row))] else { continue }
            for (arm, time, busy) in [
                (row.baseArm, row.baseMedian, cpu.baseMedian), (row.arm, row.armMedian, cpu.armMedian),
            ] where arm != .none {
                guard let time, let busy, time > 0, busy / time < share else { continue }
                if found.last.map({ ByteKey($0.cell) == ByteKey(row.cellID) }) != true {
                    found.append((row.cellID, []))
                }
                guard let last = found.indices.last, !found[last].arms.contains(where: { $0.arm == arm }) else {
                    continue
                }
                found[last].arms.append((arm, busy / time))
            }
        }
        return found.map {
            "\($0.cell) (" + $0.arms.map { "\($0.arm) \(Figures.fixed($0.share * 100, 0)) %" }.joined(separator: ", ")
                + ")"
        }
    }

    /// One sentence; nil if nothing waits.
    static func line(_ rows: [SummaryRow]) -> String? {
        let cells = cells(rows)
        return cells.isEmpty
            ? nil
            : "Cells that waited (processor time below half of the elapsed time): \(cells.joined(separator: "; "))"
    }

    private static func key(_ row: SummaryRow) -> String {
        [row.cellID, row.baseArm.name, row.arm.name].joined(separator: " ")
    }
}
