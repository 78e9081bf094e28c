import Soups

/// A cell and how a run measures it: the number of blocks, the arms, the comparisons.
package struct PlannedCell: Sendable {
    package let cell: Cell
    package var blocks: Int
    /// How many turns each arm has in a block. The figure of the block is then their median: a stall affects one turn,
    /// not the pair.
    package var turns: Int
    /// The number of the first block. Cells that several shards measure begin with another number in each, so that
    /// block numbers of a merged run are unique.
    package var firstBlock = 0
    package var arms: [Arm]
    package var comparisons: [Cell.Comparison]

    package init(_ cell: Cell, profile: Profile) {
        self.cell = cell
        // A count needs no second look.
        blocks = cell.style == .counted ? cell.pairs : profile.firstLook(cell.pairs, isLong: cell.isLong)
        turns = cell.turns
        arms = cell.arms
        comparisons = cell.comparisons
    }

    /// The cell with fewer blocks if its first look would take longer than the profile allows.
    ///
    /// It keeps as many as an interval needs. A cell that no stored report measured keeps all of them.
    package func limited(by costs: CostTable, profile: Profile) -> PlannedCell {
        guard cell.style != .counted, !cell.isControl, let limit = profile.secondsOfFirstLook,
            let cost = costs.measured(cell.id)?.seconds, cost * Double(blocks) > limit
        else {
            return self
        }
        var limited = self
        limited.blocks = min(blocks, max(BlockOrder.fewestPairs, Int(limit / cost)))
        return limited
    }

    /// The distance between the first block numbers of two shards: more blocks than both looks can have.
    static let blocksOfShard = 10_000
    /// The second look is another session, so its blocks have another order of arms and other padding.
    static let firstOfSecondLook = 1_000

    /// The number of the block that is measured in a round, from 0, of a look.
    func blockNumber(_ round: Int, _ look: Sample.Look) -> Int {
        firstBlock + round + (look == .first ? 0 : Self.firstOfSecondLook)
    }

    /// Adds the arms of other builds to this one's: `plain@previous` takes turns with `plain`, and the two are
    /// compared. Returns nil if the cell has none of the arms.
    ///
    /// Only the named arms are doubled, without the comparisons between back ends. A second build of the same source
    /// (`previous-again`, see `Arm.again`) is compared only with the first one, which is a null row. The control is not
    /// changed: it judges the machine, not a build.
    package func beside(builds: [String], arms wanted: [Arm]) -> PlannedCell? {
        if cell.isControl {
            return self
        }
        let doubled = arms.filter { wanted.contains($0) && $0 != .plainAgain }
        guard !doubled.isEmpty else { return nil }
        var planned = self
        // Work that can be done only once gives one short sample in each turn. Two turns, the second in the opposite
        // order, make a pair that a stall does not spoil.
        if cell.style == .once {
            planned.turns = 2
        }
        let keepsNull = arms.contains(.plainAgain) && doubled.contains(.plain)
        planned.arms =
            doubled.flatMap { arm in [arm] + builds.map { arm.on(build: $0) } } + (keepsNull ? [.plainAgain] : [])
        planned.comparisons =
            doubled.flatMap { arm in
                builds.map { build in
                    let first = builds.first { ByteKey(Arm.again($0)) == ByteKey(build) }
                    return first.map { .init(arm.on(build: $0), arm.on(build: build)) }
                        ?? .init(arm.on(build: build), arm)
                }
            } + (keepsNull ? [.init(.plain, .plainAgain)] : [])
        return planned
    }

    /// Keeps only these arms, by their names or those of their back ends, and the comparisons that have both sides; nil
    /// if no arm is left. The control keeps all its arms, because no run is valid without it.
    package func only(arms names: [String]) -> PlannedCell? {
        guard !names.isEmpty, !cell.isControl else {
            return self
        }
        let wanted = Set(names.map { ByteKey($0) })
        var planned = self
        planned.arms = arms.filter { wanted.contains(ByteKey($0.name)) || wanted.contains(ByteKey($0.backend.name)) }
        planned.comparisons = comparisons.filter { planned.arms.contains($0.base) && planned.arms.contains($0.arm) }
        return planned.arms.isEmpty ? nil : planned
    }
}

extension PlannedCell {
    /// Keeps the cells whose id, or the id of a claim, contains one of the texts or matches it as a regular expression;
    /// all cells if there are no texts. Control and null rows stay, because no run is valid without them.
    package static func filter(_ cells: [PlannedCell], _ texts: [String]) -> [PlannedCell] {
        guard !texts.isEmpty else {
            return cells
        }
        let names = NameFilter(texts)
        return cells.filter { planned in
            planned.cell.isControl || names.matches(planned.cell.id)
                || planned.cell.claims.contains { names.matches($0.id) }
        }
    }

    /// Leaves out the cells whose id contains one of the texts or matches it as a regular expression, except control
    /// and null rows.
    package static func without(_ texts: [String], _ cells: [PlannedCell]) -> [PlannedCell] {
        guard !texts.isEmpty else {
            return cells
        }
        let names = NameFilter(texts)
        return cells.filter { $0.cell.isControl || !names.matches($0.cell.id) }
    }

    /// Keeps the cells that a profile includes without naming them.
    package static func ofProfile(_ profile: Profile.Name, _ cells: [PlannedCell]) -> [PlannedCell] {
        cells.filter { $0.cell.profile <= profile && (profile != .quick || $0.cell.isInQuickProfile) }
    }
}

extension Cell {
    /// Whether the quick profile runs it without being asked to: it compares back ends, or the store with the floor, or
    /// counts instructions.
    var isInQuickProfile: Bool {
        comparesBackends || comparisons.contains(where: \.isOverFloor) || primary == .instructions
    }

    /// Whether it answers the main question, plain SQLite against SQLCipher with the same work. By default the quick
    /// profile runs only these.
    package var comparesBackends: Bool {
        isControl || comparisons.contains { $0.base == .plain && ($0.arm == .cipher || $0.arm == .passphrase) }
    }
}

extension String {
    /// Returns whether this text contains the bytes of another one.
    package func utf8Contains(_ text: String) -> Bool {
        let whole = Array(utf8)
        let part = Array(text.utf8)
        guard !part.isEmpty else { return true }
        return whole.indices.contains { whole[$0...].starts(with: part) }
    }
}
