import JSONText
import OfflineStore
import Soups

/// The calls for an app that is about to be suspended.
enum SuspensionCalls {
    static let all: [CallHandler] = [
        .apart("store.suspend", writes: false) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let store = try context.store(arguments)
            if !store.isSuspended {
                try store.requireOpen()
            }
            try store.suspend()
            return true
        },
        .apart("store.resume", writes: false) { (context, arguments) throws(Fault) in
            let store = try context.store(arguments)
            try store.resume()
            try store.requireOpen()
            return true
        },
    ]

    static let capabilities: Set<Capability> = [.suspending]
}
