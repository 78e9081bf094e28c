/// One node of an expression: its kind, its range in the text, and links to the first child and the next sibling.
///
/// A node has twenty bytes and no references, so a tree is one array that is allocated and released in one piece,
/// however deep it is.
public struct ExpressionNode: Sendable {
    /// The kinds of nodes, and the meaning of their children.
    public enum Kind: UInt8, Sendable, Hashable {
        /// The literal `null`.
        case null
        /// A literal; `value(of:)` of the expression reads it.
        case literal
        /// A path. Without children it is a single name, otherwise the children are its segments.
        case path
        /// A name: a path segment, a lambda variable, a type.
        case name
        /// Segments with parentheses: the first child is the name, the others are key values or arguments. For a key
        /// after a call the first child is the segment of the function. `$filter(...)` has its own kind.
        case keySegment, functionSegment, filterSegment
        /// A named key value or argument: the child is the value, the text of the node is the name.
        case argument
        /// A call of a canonical function: the children are the arguments.
        case call
        /// `Path/any(x:predicate)`: the children are the path, the variable and the predicate; only the path for
        /// `any()`.
        case any
        /// `Path/all(x:predicate)`: the children are the path, the variable and the predicate.
        case all
        /// A list after `in`: the children are literals.
        case list
        /// A JSON array: the children are the elements.
        case array
        /// A JSON object: the children are members.
        case object
        /// A member of a JSON object: the child is the value, the text of the node is the name with its quotes.
        case member
        /// `not` and its operand.
        case not
        /// A minus sign and its operand.
        case negate
        /// `cast(value, type)`; without a value the child is the type.
        case cast
        /// `isof(value, type)`; without a value the child is the type.
        case isof
        /// A parameter alias, such as `@p`.
        case alias
        /// A bare `$it`.
        case it
        /// `case(...)` and its branches of condition and value.
        case conditional, branch
        /// `Path/$count`; the second child, if there is one, is a filter.
        case count
        /// `or`. This and the following kinds are operators with two operands.
        case or
        /// `and`.
        case and
        /// `eq`.
        case equal
        /// `ne`.
        case notEqual
        /// `gt`.
        case greater
        /// `ge`.
        case greaterOrEqual
        /// `lt`.
        case less
        /// `le`.
        case lessOrEqual
        /// `add`.
        case add
        /// `sub`.
        case subtract
        /// `mul`.
        case multiply
        /// `div`: of two integers the quotient is an integer.
        case divide
        /// `divby`: the quotient has a fraction. Since version 4.01.
        case divideBy
        /// `mod`.
        case modulo
        /// `has`: whether the bits of a flag are set. Since version 4.0.
        case has
        /// `in`: whether a list or collection contains the value. Since version 4.01.
        case `in`
    }

    /// The kind of the node; it decides what the children mean.
    public internal(set) var kind: Kind
    /// The raw value of the type of a literal or of the function of a call.
    var detail: UInt8 = 0
    /// Indexes of nodes; -1 for none.
    var first: Int32 = -1
    var next: Int32 = -1
    /// Byte offsets into the text.
    var start: UInt32
    var end: UInt32

    init(_ kind: Kind, detail: UInt8 = 0, first: Int32 = -1, start: Int, end: Int) {
        self.kind = kind
        self.detail = detail
        self.first = first
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    /// The range of the node in the text, in bytes. The range of an operator does not include parentheses around it.
    public var range: Range<Int> { Int(start)..<Int(end) }
}

extension ExpressionNode.Kind {
    /// The precedence of an operator: a larger number binds tighter. Operands have the largest one (OData URL
    /// Conventions 4.01, 5.1.1.17).
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .notEqual: 3
        case .greater, .greaterOrEqual, .less, .lessOrEqual: 4
        case .add, .subtract: 5
        case .multiply, .divide, .divideBy, .modulo: 6
        case .not, .negate: 7
        case .has, .in: 8
        default: 9
        }
    }

    /// Whether the node is an operator with two operands, which are its children.
    public var isBinaryOperator: Bool { rawValue >= Self.or.rawValue }

    /// The word of a binary operator; empty for other kinds.
    public var operatorName: String {
        switch self {
        case .or: "or"
        case .and: "and"
        case .equal: "eq"
        case .notEqual: "ne"
        case .greater: "gt"
        case .greaterOrEqual: "ge"
        case .less: "lt"
        case .lessOrEqual: "le"
        case .add: "add"
        case .subtract: "sub"
        case .multiply: "mul"
        case .divide: "div"
        case .divideBy: "divby"
        case .modulo: "mod"
        case .has: "has"
        case .in: "in"
        default: ""
        }
    }
}
