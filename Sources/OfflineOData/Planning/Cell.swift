import OData
import Soups

/// The cell of an index for the path of a condition.
struct Cell {
    enum Kind {
        /// The text of a string or full-text index.
        case text
        /// The number of an integer or floating index.
        case number
        /// What SQLite reads from JSON.
        case json
        /// A column that every row has.
        case row
    }

    /// The cell in Smart SQL.
    let sql: String
    let kind: Kind
    let path: String
    /// Whether the path has several names, so that it may lead through arrays.
    let isNested: Bool
    /// The declared type of the value.
    let type: StaticType

    func test(_ condition: String, _ values: SQLValue...) -> SQLCondition { .test(condition, values) }

    /// Whether the value of a text cell may be anything but a text: it begins as a number, an object or an array does,
    /// or is the name of a boolean.
    ///
    /// Ranges, because an index finds their rows, and comparing costs less than a pattern for each row. The first one
    /// holds `.` and `/` too, with which no number begins.
    var mayBeUnsure: SQLCondition {
        .any([
            .test("\(sql) >= '-' AND \(sql) < ':'", []), .test("\(sql) >= '[' AND \(sql) < '\\'", []),
            .test("\(sql) >= '{' AND \(sql) < '|'", []), .test("\(sql) IN ('true', 'false')", []),
        ])
    }

    /// Whether the value is a text: the cell of a text index looks like nothing else, a JSON cell holds a text that
    /// is neither an array nor an object.
    var isText: SQLCondition {
        switch kind {
        case .text: .all([.test("\(sql) IS NOT NULL", []), .opposite(mayBeUnsure)])
        default: .test("typeof(\(sql)) = 'text' AND NOT \(sql) GLOB '[[{]*'", [])
        }
    }

    func bounds(_ candidate: SQLCondition, sure: SQLCondition, _ line: DecisionLine, isPoint: Bool = false) -> Bounds {
        Bounds(
            candidate: candidate, sure: sure, paths: [path],
            point: isPoint ? PointSearch(cells: candidate, sure: sure) : nil, line: line)
    }

    /// Whether the type is not declared, or is one of some primitive types.
    func fits(_ types: EdmPrimitiveType...) -> Bool {
        type.isUnknown || type.primitive.map { types.contains($0) } ?? false
    }
}
