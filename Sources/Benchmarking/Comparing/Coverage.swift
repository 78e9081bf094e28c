import Soups

/// Counts the rows that could turn a check red, and how many of them were compared.
///
/// A check that compared nothing has found nothing, so it must not end like one that found nothing slower.
package struct Coverage: Sendable, Hashable {
    /// The gating rows of the stored report, in the cells that were asked for.
    package private(set) var all = 0
    package private(set) var compared = 0
    /// Cells that were measured, but with too few pairs to compare their ratios.
    package private(set) var thin: [String] = []

    package init() {}

    /// Whether every one of them was compared, and there is one.
    package var isWhole: Bool { all > 0 && compared == all }

    /// Adds the rows of a cell: those that gate when the stored report is compared with itself, and those of the
    /// comparison with the new run.
    mutating func add(_ cellID: String, expected: [RunComparison.Row], found: [RunComparison.Row]) {
        let gating = Set(expected.filter(\.gates).map { ByteKey($0.key) })
        let own = found.filter { gating.contains(ByteKey($0.key)) && $0.new != nil }
        let done = own.count(where: \.isCompared)
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
    package var description: String { "compared \(compared) of \(all) gating rows" }
}
