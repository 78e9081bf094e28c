import JSONText
import OfflineStore
import Soups

/// The calls that watch what is committed.
enum ObservationCalls {
    static let all: [CallHandler] = [
        .apart("store.changes", writes: false) { (context, arguments) throws(Fault) in
            let soups = arguments.value("soups") == nil ? nil : try arguments.texts("soups")
            let store = try context.store(arguments)
            try store.requireOpen()
            let changes = store.changes(in: soups)
            return .number(JSONNumber(try context.keep(changes, arguments)))
        },
        .apart("store.takeChanges", writes: false) { (context, arguments) throws(Fault) in
            let changes = try context.changes(arguments)
            try context.store(arguments).requireOpen()
            return .array(changes.takeKnown().map(\.json))
        },
    ]

    static let capabilities: Set<Capability> = [.observation]
}

extension StoreChange {
    /// The change in the form of the contract.
    var json: JSONValue {
        let ids: JSONValue =
            switch ids {
            case .all: "all"
            case .some(let ids): .array(ids.map { .number(JSONNumber($0)) })
            }
        let names = Self.kindNames.filter { kinds.contains($0.kind) }.map { JSONValue.string($0.name) }
        return ["soup": .string(soup), "kinds": .array(names), "ids": ids]
    }

    /// The names of the kinds, in their order.
    private static let kindNames: [(kind: Kinds, name: String)] = [
        (.inserted, "inserted"), (.updated, "updated"), (.removed, "removed"), (.cleared, "cleared"),
        (.registered, "registered"), (.altered, "altered"), (.dropped, "dropped"),
    ]
}
