/// What the cells of a row tell about a condition of a filter.
struct Bounds: Sendable {
    /// Holds for every row for which the condition is true.
    var candidate: SQLCondition
    /// Where it holds together with `candidate`, the condition is true.
    var sure: SQLCondition
    /// The paths of the indexes.
    var paths: [String]
    /// The one value that most of the candidates have; nil if there is no such value.
    var point: PointSearch?
    /// The line of the table of decisions.
    var line: DecisionLine

    /// Whether it excludes any row.
    var narrows: Bool { !candidate.isAlways }

    /// The number of values that a statement binds for both conditions.
    var valueCount: Int { candidate.valueCount + sure.valueCount }

    /// The same candidates, none of which is proved.
    var withoutProof: Bounds { Bounds(candidate: candidate, sure: .never, paths: paths, line: line) }

    /// The bounds of the opposite of a condition that is never null.
    var opposite: Bounds {
        // Where the candidates are exactly the rows of the condition, the others are exactly those of its opposite.
        Bounds(
            candidate: .opposite(.all([candidate, sure])), sure: sure.isAlways ? .always : .opposite(candidate),
            paths: paths, line: line)
    }

    /// The bounds of an `or` of conditions that all narrow.
    static func any(_ arms: [Bounds]) -> Bounds {
        // An arm is proved only where it is a candidate itself, not where another one is.
        let sure: SQLCondition =
            arms.allSatisfy(\.sure.isAlways) ? .always : .any(arms.map { .all([$0.candidate, $0.sure]) })
        return Bounds(
            candidate: .any(arms.map(\.candidate)), sure: sure, paths: arms.flatMap(\.paths).uniqued(), line: .either)
    }

    /// The bounds of an `and`.
    static func all(_ arms: [Bounds]) -> Bounds {
        Bounds(
            candidate: .all(arms.map(\.candidate)), sure: .all(arms.map(\.sure)),
            paths: arms.flatMap(\.paths).uniqued(), line: .both)
    }

    /// Nothing is known.
    static let unknown = Bounds(candidate: .always, sure: .never, paths: [], line: .none)
}

/// One value that the cells of candidates have, so that an index finds them in the order of the ids, and where the
/// further candidates are. Together they are the candidates, each of them once.
struct PointSearch: Sendable {
    var cells: SQLCondition
    /// Where it holds together with `cells`, the condition is true.
    var sure: SQLCondition
    var others: [SQLCondition] = []
}

extension [String] {
    /// The texts without repetitions, in the order of their first occurrence.
    fileprivate func uniqued() -> [String] {
        var seen: Set<[UInt8]> = []
        return filter { seen.insert([UInt8]($0.utf8)).inserted }
    }
}

/// The lines of the table that says what a cell tells about a condition. Tests count how often each was used.
package enum DecisionLine: String, CaseIterable, Sendable {
    case textEqual, textOrder, textList, prefix, contains, suffix, emptyNeedle
    case numberEqual, numberOrder, numberList
    case boolean, null, guid, date, instant, dateTime, timeOfDay, rowColumn
    case either, both, none
}
