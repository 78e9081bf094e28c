import Soups

/// Defines one thing that is measured: a workload at certain parameters, the arms that do it, and which of them are
/// compared.
///
/// A cell is only a definition. Workers find it again by its id and prepare an arm's `Subject` in a process of their
/// own. A `CellCatalogue` holds the cells of a program.
///
///     Cell("json-validate", ["shape": "dense"], revision: 1, summary: "validates 1 MB of dense JSON", arms: ["ours",
///     "decoder"],
///         comparisons: [.init("decoder", "ours")]) { arm, setting in
///         var valid = 0
///         return Computation { valid = try validate(arm, document); return 1 } answer: { $0.add(valid) }
///     }
package struct Cell: Sendable {
    /// Lower case, words joined by hyphens.
    package let workload: String
    /// Sorted by name. Everything that makes two rows incomparable must be here: sizes, storage settings, the corpus.
    package let parameters: [(name: String, value: String)]
    /// Raise it whenever the work changes: rows of different revisions are never compared.
    package let revision: Int
    /// What the work is, in a phrase for people.
    package let summary: String
    package let arms: [Arm]
    package let comparisons: [Comparison]
    package let style: Style
    /// The metric that the tables show first.
    package let primary: Metric
    /// The number of pairs in the quick profile; the full one has at least twice as many, unless the cell is long.
    package let pairs: Int
    /// How many turns each arm has in a block; see `PlannedCell.turns`.
    package let turns: Int
    /// The smallest profile that includes the cell without naming it.
    package let profile: Profile.Name
    package let claims: [Claim]
    package let prepare: @Sendable (Arm, Workplace) throws -> any Subject

    package init(
        _ workload: String, _ parameters: KeyValuePairs<String, String> = [:], revision: Int, summary: String,
        arms: [Arm], comparisons: [Comparison],
        style: Style = .repeated, primary: Metric = .wall, pairs: Int = 10, turns: Int = 1,
        profile: Profile.Name = .quick, claims: [Claim] = [],
        prepare: @escaping @Sendable (Arm, Workplace) throws -> any Subject
    ) {
        self.workload = workload
        self.parameters = parameters.map { (name: $0.key, value: $0.value) }.sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        self.revision = revision
        self.summary = summary
        self.arms = arms
        self.comparisons = comparisons
        self.style = style
        self.primary = primary
        self.pairs = pairs
        self.turns = turns
        self.profile = profile
        self.claims = claims
        self.prepare = prepare
    }

    /// How often the work can be done after one preparation.
    package enum Style: String, Sendable, Hashable {
        /// Any number of times: warm-ups first, then as many runs as fill a sample of 20 ms.
        case repeated
        /// Once, because the work uses up what was prepared (an insert, a delete). No warm-up.
        case once
        /// Never: only the digest and the counters matter (a file's size).
        case counted
    }

    /// Two arms whose ratio is reported: arm / base.
    package struct Comparison: Sendable, Hashable {
        package let base: Arm
        package let arm: Arm
        /// Whether both must give the same answer; false only if the arms store different things by design.
        package let sameAnswer: Bool

        package init(_ base: Arm, _ arm: Arm, sameAnswer: Bool = true) {
            self.base = base
            self.arm = arm
            self.sameAnswer = sameAnswer
        }

        /// Whether both sides run the same work from the same source, so that their ratio is 1 by construction and
        /// shows only noise.
        package var isNull: Bool { arm == .plainAgain || isOfTwoBuilds }

        /// Whether it says what the store costs beyond bare calls of SQLite on the same back end.
        package var isOverFloor: Bool { ByteKey(base.way) == ByteKey(Arm.floorWay) && base.backend == arm.backend }

        /// Whether the two sides are one source built twice, which differ by the layout of their code.
        package var isOfTwoBuilds: Bool {
            guard let build = base.build, let other = arm.build else { return false }
            return ByteKey(Arm.again(build)) == ByteKey(other)
        }
    }

    /// Whether it is the control, without which no run is valid.
    package var isControl: Bool { Control.isControl(workload) }

    /// Names the cell among all: `upsert-string/entries=1000`.
    package var id: String { parameters.isEmpty ? workload : workload + "/" + parameterText }

    /// `name=value;name=value`, sorted.
    package var parameterText: String { parameters.map { $0.name + "=" + $0.value }.joined(separator: ";") }

    /// Hashes the definition; a row is compared only with rows of the same hash. 12 hexadecimal digits.
    package var version: String {
        let text = [workload, parameterText, style.rawValue, String(revision), String(Self.method)].joined(
            separator: "\n")
        return String(SHA256.hex(Array(text.utf8)).prefix(12))
    }

    /// The version of the sampling of all cells. Raise it when warm-up, batching or the order of steps changes.
    static let method = 2

    /// Whether a block takes several seconds, because it works on 100,000 records or more. The full profile measures no
    /// more pairs of such a cell than the quick one, or it would take a night.
    package var isLong: Bool { records >= 100_000 }

    /// Whether a block takes a minute or more, because it works on a million records or more. A run measures such a
    /// cell only if an option asks for it.
    package var isVeryLong: Bool { records >= 1_000_000 }

    /// The greatest number of records that a parameter names.
    private var records: Int {
        ["entities", "entries", "records", "rows", "to"].compactMap { number($0) }.max() ?? 0
    }

    /// The value of a parameter as a number.
    package func number(_ name: String) -> Int? {
        parameters.first { ByteKey($0.name) == ByteKey(name) }.flatMap { Int($0.value) }
    }
}

extension Cell.Comparison {
    /// The three comparisons show the cost of encryption, that of another build of SQLite, and what a user sees.
    package static let backends: [Cell.Comparison] = [
        .init(.cipherOff, .cipher), .init(.plain, .cipherOff), .init(.plain, .cipher),
    ]
}
