import Soups

/// A cell with what a run does of it: so many blocks, these arms, these comparisons.
package struct PlannedCell: Sendable {
    package let cell: Cell
    package var blocks: Int
    /// How often each arm takes its turn within a block. What it took in a block is then the median: a stall hits one
    /// turn, not the pair.
    package var turns = 1
    /// The number of the first block. Cells that several shards measure count from another number in each, so that no
    /// block of a merged run is there twice.
    package var firstBlock = 0
    package var arms: [Arm]
    package var comparisons: [Cell.Comparison]

    package init(_ cell: Cell, profile: Profile) {
        self.cell = cell
        // A count needs no second opinion.
        blocks = cell.style == .counted ? cell.pairs : profile.firstLook(cell.pairs)
        arms = cell.arms
        comparisons = cell.comparisons
    }

    /// By how much the numbers of a cell's first blocks are apart from shard to shard: more than both looks can have.
    static let blocksOfShard = 10_000
    /// The second look is another session: its blocks turn and pad differently.
    static let firstOfSecondLook = 1_000

    /// The number of the block that is measured in a round, from 0, of a look.
    func blockNumber(_ round: Int, _ look: Sample.Look) -> Int {
        firstBlock + round + (look == .first ? 0 : Self.firstOfSecondLook)
    }

    /// Adds the arms of other builds to this one's: `plain@previous` takes turns with `plain`, and the two are compared.
    /// Returns nil if the cell has none of the arms.
    ///
    /// Only the arms named are doubled; comparisons between back ends are left out, which another run answers. A build
    /// that is another one made again (`previous-again`, see `Arm.again`) is compared with that one only: a null row,
    /// for both are of one source. The control stays as it is: it judges the machine, not a build.
    package func beside(builds: [String], arms wanted: [Arm]) -> PlannedCell? {
        if cell.isControl {
            return self
        }
        let doubled = arms.filter { wanted.contains($0) && $0 != .plainAgain }
        guard !doubled.isEmpty else { return nil }
        var planned = self
        // Work that can be done once only gives one short sample a turn; two turns, there and back, make a pair of it
        // that a stall does not spoil.
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

    /// Keeps only these arms, by their names or by those of their back ends, and the comparisons of which both sides
    /// remain; nil if no arm does. The control keeps all of its own: no run is valid without.
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
    /// Keeps the cells of which the id, or the id of a claim, holds one of the texts, or a match of one as a regular
    /// expression; all of them without a text. Control and null rows stay: no run is valid without.
    package static func filter(_ cells: [PlannedCell], _ texts: [String]) -> [PlannedCell] {
        guard !texts.isEmpty else {
            return cells
        }
        let patterns = texts.compactMap { try? Regex($0) }
        func isNamed(_ name: String) -> Bool {
            texts.contains { name.utf8Contains($0) } || patterns.contains { name.contains($0) }
        }
        return cells.filter { planned in
            planned.cell.isControl || isNamed(planned.cell.id) || planned.cell.claims.contains { isNamed($0.id) }
        }
    }

    /// Keeps what a profile measures without being asked for more.
    package static func ofProfile(_ profile: Profile.Name, _ cells: [PlannedCell]) -> [PlannedCell] {
        cells.filter { $0.cell.profile <= profile && (profile != .quick || $0.cell.comparesBackends) }
    }
}

extension Cell {
    /// Whether it answers the main question, plain SQLite against SQLCipher with the same work. The quick profile runs
    /// only these by default.
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
