import Soups

/// The kind of position from which a walk continues. NULL is a separate kind, because it needs other comparisons.
enum WalkStart: Hashable, Sendable {
    case beginning
    case behindNull
    case behindKey

    init(_ position: PageQuery.Position?) {
        switch position?.key {
        case nil: self = .beginning
        case .null: self = .behindNull
        default: self = .behindKey
        }
    }
}
