/// A query that was understood: positions of fields instead of names.
struct MiniQuery: Sendable {
    /// One item of the select list.
    enum Item: Sendable {
        case field(Int)
        case children(Children)
    }

    /// A sub-query over the records that refer to one.
    struct Children: Sendable {
        let plural: String
        /// The field of the child that refers to the parent.
        let reference: Int
        let query: MiniQuery
    }

    struct Key: Sendable {
        let field: Int
        let isDescending: Bool
        let nullsLast: Bool
    }

    let table: Int
    let items: [Item]
    let condition: MiniCondition?
    let order: [Key]
    let limit: Int?
    let offset: Int
}

/// A condition over one record.
indirect enum MiniCondition: Sendable {
    case all([MiniCondition])
    case any([MiniCondition])
    case not(MiniCondition)
    case compare(MiniComparison)
}

/// A field, an operator, and what it is compared with.
struct MiniComparison: Sendable {
    enum Operator: String, Sendable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case like
        case oneOf = "in"
        case noneOf = "not in"
    }

    let field: Int
    let operation: Operator
    /// One value, or the list of `in`.
    let values: Set<MiniValue>
    let pattern: LikePattern?
}

/// A value as conditions and orders see it. Texts are folded unless they are ids.
enum MiniValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case date(Int64)
}
