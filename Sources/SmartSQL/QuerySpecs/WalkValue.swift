import Soups

/// A value that is bound to a `?` of a statement of a walk.
enum WalkValue: Sendable {
    case fixed(SQLValue)
    case positionKey
    case positionId

    func bound(at position: PageQuery.Position?) -> SQLValue {
        switch self {
        case .fixed(let value): value
        case .positionKey: position?.key ?? .null
        case .positionId: position.map { .integer($0.id) } ?? .null
        }
    }
}
