import Soups

/// Says from what kind of place a walk goes on: NULL compares like nothing else.
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
