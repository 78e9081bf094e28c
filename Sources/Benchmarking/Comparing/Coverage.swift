import Soups

/// Counts the rows that could turn a check red, and how many of them were compared.
///
/// A check that compared nothing has found nothing, so it must not end like one that found nothing slower.
package struct Coverage: Sendable, Hashable {
    /// The gating rows of the stored report, in the cells that were asked for.
    package private(set) var all = 0
    package private(set) var compared = 0
    /// Those that were left out because the check allowed it.
    package private(set) var leftOut = 0
    /// Cells that were measured, but with too few pairs to compare their ratios.
    package private(set) var thin: [String] = []

    package init() {}

    /// Whether every one of them was compared or could be left out, and at least one was compared.
    package var isWhole: Bool { compared > 0 && compared + leftOut == all }

    /// Adds the rows of a cell: those that gate when the stored report is compared with itself, and those of the
    /// comparison with the new run.
    ///
    /// - Parameter canLeaveOut: Whether the check leaves out a row that is not among those found.
    mutating func add(
        _ cellID: String, expected: [RunComparison.Row], found: [RunComparison.Row],
        canLeaveOut: (RunComparison.Row) -> Bool = { _ in false }
    ) {
        let gating = Set(expected.filter(\.gates).map { ByteKey($0.key) })
        let own = found.filter { gating.contains(ByteKey($0.key)) && $0.new != nil }
        let done = own.count(where: \.isCompared)
        let known = Set(found.map { ByteKey($0.key) })
        leftOut += expected.count { $0.gates && !known.contains(ByteKey($0.key)) && canLeaveOut($0) }
        all += gating.count
        compared += done
        if done < own.count {
            thin.append(cellID)
        }
    }
}

extension RunComparison.Row {
    /// Whether stored and new figure say more than that they are there: a ratio needs an interval, and both must have
    /// been measured under the same settings.
    fileprivate var isCompared: Bool {
        gates && verdict != .invalid && (kind == .counter || change?.interval != nil)
    }
}

extension Coverage: CustomStringConvertible {
    package var description: String {
        "compared \(compared) of \(all) gating rows"
            + (leftOut == 0 ? "" : ", \(leftOut) of instructions left out")
    }
}
