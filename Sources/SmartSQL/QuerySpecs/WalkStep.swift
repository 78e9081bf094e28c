import Soups
import Synchronization

/// Holds one statement of a walk. Its text depends on where the walk stands only by the kind of place, so it is written
/// once and bound for each page.
struct WalkStep: Sendable {
    let sql: String
    let values: [WalkValue]

    func statement(at position: PageQuery.Position?) -> BoundStatement {
        BoundStatement(sql: sql, bindings: values.map { $0.bound(at: position) })
    }
}

/// Says what is bound to a `?` of a walk's statement.
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

/// Holds one condition of a walk's statement with what is bound to its `?`.
struct WalkCondition {
    let text: String
    let values: [WalkValue]

    static func fixed(_ fragment: SQLFragment) -> WalkCondition {
        WalkCondition(text: fragment.text, values: fragment.bindings.map { .fixed($0) })
    }

    static func compared(_ expression: String, _ comparison: String, _ value: WalkValue) -> WalkCondition {
        WalkCondition(text: "\(expression) \(comparison) ?", values: [value])
    }
}

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

/// Keeps the steps that were written for a query: a cursor asks for the same ones page after page. Safe to share.
final class WalkSteps: Sendable {
    struct Key: Hashable, Sendable {
        /// Which interval of the filter; nil for everything it lets pass.
        let interval: Int?
        let order: SortOrder
        let start: WalkStart
    }

    private let known = Mutex<[Key: [WalkStep]]>([:])

    func steps(_ key: Key, write: () -> [WalkStep]) -> [WalkStep] {
        if let steps = known.withLock({ $0[key] }) {
            return steps
        }
        let steps = write()
        known.withLock { $0[key] = steps }
        return steps
    }
}
