import Soups

/// The kind of position from which a walk continues. NULL is a separate kind, because it needs other comparisons.
enum WalkStart: Hashable, Sendable {
    case beginning
    case afterNull
    case afterKey

    init(_ position: PageQuery.Position?) {
        switch position?.key {
        case nil: self = .beginning
        case .null: self = .afterNull
        default: self = .afterKey
        }
    }
}
