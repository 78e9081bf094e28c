/// How much is measured: how many pairs in the first look, how many more in the second.
package struct Profile: Sendable, Hashable {
    package enum Name: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Each cell once with small corpora, inside the tests: no figures, but no cell can rot.
        case smoke
        /// A few minutes.
        case quick
        /// Every cell, in half an hour: finds 15 %.
        case full

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        package static func < (a: Name, b: Name) -> Bool { a.rank < b.rank }
    }

    package let name: Name

    package init(_ name: Name) { self.name = name }

    /// Pairs of the first look at a cell whose definition asks for so many in the quick profile.
    package func firstLook(_ quick: Int) -> Int {
        switch name {
        case .smoke: 1
        case .quick: quick
        case .full: max(20, 2 * quick)
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

    /// The sizes of the generated corpora, in entries. Three sizes give exponents of growth that decide; 100,000
    /// entries, which take hours with so many pairs, are for `--sizes` and for `ci/claims`.
    package var sizes: [Int] {
        switch name {
        case .smoke: [60]
        case .quick: [1_000, 10_000]
        case .full: [1_000, 3_000, 10_000]
        }
    }
}
