/// How much is measured: the number of pairs in the first look, and in the second.
package struct Profile: Sendable, Hashable {
    package enum Name: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Each cell once with small corpora, inside the tests: without useful figures, but every cell keeps working.
        case smoke
        /// A few minutes.
        case quick
        /// Every cell, in about two hours; finds differences of 15 %.
        case full

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        package static func < (a: Name, b: Name) -> Bool { a.rank < b.rank }
    }

    package let name: Name

    package init(_ name: Name) { self.name = name }

    /// The pairs of the first look at a cell that defines this number for the quick profile.
    ///
    /// - Parameter isLong: Whether a pair takes several seconds.
    package func firstLook(_ quick: Int, isLong: Bool) -> Int {
        switch name {
        case .smoke: 1
        case .quick: quick
        case .full: isLong ? max(BlockOrder.fewestPairs, quick) : max(20, 2 * quick)
        }
    }

    /// Pairs of the second look at a suspect.
    package var secondLook: Int {
        switch name {
        case .smoke: 0
        case .quick: 15
        case .full: 30
        }
    }

    /// The seconds that the first look at a cell may take, where stored reports know what a block takes; nil without a
    /// limit. A cell of long blocks has fewer pairs then, though never fewer than an interval needs.
    var secondsOfFirstLook: Double? {
        switch name {
        case .smoke, .quick: nil
        case .full: 30
        }
    }

    /// The sizes of the generated corpora, in entries. Three sizes are enough to decide exponents of growth. Corpora of
    /// 100,000 entries, which take hours with so many pairs, are for `--sizes` and for `ci/claims`.
    package var sizes: [Int] {
        switch name {
        case .smoke: [60]
        case .quick: [1_000, 10_000]
        case .full: [1_000, 3_000, 10_000]
        }
    }
}
