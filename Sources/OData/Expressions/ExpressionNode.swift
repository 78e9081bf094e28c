/// Holds one node of an expression: what it is, where it stands in the text, and its links to the first child and the
/// next sibling.
///
/// Twenty bytes without references: a tree is one array, made and released in one piece whatever its depth.
public struct ExpressionNode: Sendable {
    public enum Kind: UInt8, Sendable, Hashable {
        case null, literal
        /// A path: without children the name itself, else its segments.
        case path
        /// A name: a path segment, a lambda variable, a type.
        case name
        /// Segments of a path with parentheses: the name, then key values or arguments; `$filter(...)`.
        case keySegment, functionSegment, filterSegment
        /// A named key value or argument: the value is the child, the name the node's text.
        case argument
        case call, any, all, list, array, object
        /// A member of a JSON object: the value is the child, the name (with its quotes) the node's text.
        case member
        case not, negate, cast, isof, alias
        /// A bare `$it`.
        case it
        /// `case(...)` and its branches of condition and value.
        case conditional, branch
        /// `Path/$count`, with a filter as a second child where one is given.
        case count
        case or, and, equal, notEqual, greater, greaterOrEqual, less, lessOrEqual, add, subtract, multiply, divide,
            divideBy, modulo, has, `in`
    }

    public internal(set) var kind: Kind
    /// The type of a literal or the function of a call, by its raw value.
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

    /// Where the node stands in the text, in bytes. Of an operator without its parentheses.
    public var range: Range<Int> { Int(start)..<Int(end) }
}

extension ExpressionNode.Kind {
    /// How tightly an operator binds; the larger the tighter. Operands bind tightest (OData URL Conventions 4.01,
    /// 5.1.1.17).
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
