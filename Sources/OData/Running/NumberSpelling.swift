package import JSONText
import Soups

/// A comparison of a member with an integer, as both are written.
///
/// A number that is written as the integer equals it: that needs no value of either. Written in another way (`3.0`,
/// `3e0`) it may be equal too, which only the evaluation tells.
package struct NumberSpelling: Sendable {
    let name: String
    private let digits: [UInt8]

    /// The steps that the evaluation takes for it: both operands, the operator and the comparison.
    static let steps = 4

    /// Nil for any other condition, and for integers that not every type with integers holds.
    package init?(_ node: Int, of filter: ODataEvaluator) {
        let expression = filter.expression
        guard expression.nodes[node].kind == .equal else { return nil }
        let children = expression.children(of: node)
        let (path, literal) =
            expression.nodes[children[0]].kind == .path ? (children[0], children[1]) : (children[1], children[0])
        guard expression.nodes[path].kind == .path, expression.nodes[path].first < 0, filter.slots[path] < 0,
            expression.nodes[literal].kind == .literal, let number = IndexedNumber(filter.literals[literal]),
            !number.isFloating, let integer = number.integer, integer.magnitude < 1 << 31
        else { return nil }
        let type = filter.types[path]
        guard type.isUnknown || type.primitive == .int32 || type.primitive == .int64 else { return nil }
        name = filter.names[path]
        guard name.utf8.first.map({ $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "@") }) == true else { return nil }
        digits = Array(String(integer).utf8)
    }

    /// Whether the member of a row is the number as it is written. If not, the row may be equal all the same.
    func isWritten(in row: RowNode) -> Bool { row.hasNumber(digits, as: name) }

    /// The search for the member in the text of a row of which it is known that it has a member of this name; nil for a
    /// name that cannot be searched for.
    package var search: MemberSearch? { MemberSearch(name, writtenAs: digits) }
}
