import JSONText
import OfflineStore
import Soups

/// The calls that name a state of a store, and require that soups are unchanged since.
enum StateCalls {
    static let all: [CallHandler] = [
        .reads("store.state") { (context, arguments) throws(Fault) in
            let store = try context.store(arguments)
            let state = try Fault.only { try store.read { $0.commit } }
            return .number(JSONNumber(try context.keep(state, arguments)))
        },
        .reads("requireUnchanged") { (context, arguments) throws(Fault) in
            let state = try context.state(arguments)
            let soups = try arguments.texts("soups")
            let store = try context.store(arguments)
            try Fault.only {
                // Inside the store's open transaction this is a part of it.
                try store.transaction { try $0.requireUnchanged(since: state, soups: soups) }
            }
            return true
        },
    ]

    static let capabilities: Set<Capability> = [.states]
}
