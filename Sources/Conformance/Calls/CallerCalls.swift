import Dispatch
import JSONText
import OfflineStore
import Platform
import Soups
import Synchronization

/// The call by which several callers use stores at the same time.
enum CallerCalls {
    static let all: [CallHandler] = [
        .apart("atOnce", writes: true) { (context, arguments) throws(Fault) in
            .array(try context.atOnce(arguments))
        }
    ]

    static let capabilities: Set<Capability> = [.callers]

    /// The calls that can be made by several callers: those that keep nothing for later calls.
    fileprivate static let names: Set<String> = [
        "registerSoup", "soupExists", "getSoupIndexSpecs", "getAllSoupNames", "alterSoup", "reIndexSoup", "clearSoup",
        "removeSoup", "upsertSoupEntries", "retrieveSoupEntries", "removeFromSoup", "storeValues", "replaceEntries",
        "countQuery", "smartRows", "lookUpKeys", "store.check", "store.inspect",
        "store.sizes", "store.compact", "store.optimize", "rekeyStore",
    ]
}

/// One caller's call and what comes of it.
private final class Caller: Sendable {
    private let outcome = Mutex<JSONValue?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    var hasEnded: Bool { outcome.withLock { $0 != nil } }

    /// Makes the call on a thread of its own.
    func begin(_ work: @escaping @Sendable () throws(Fault) -> JSONValue) throws(Fault) {
        do {
            try DetachedThread.start { [self] in
                let result: JSONValue
                do throws(Fault) {
                    result = ["returns": try work()]
                } catch {
                    result = ["fails": ["code": .string(error.code.rawValue)]]
                }
                outcome.withLock { $0 = result }
                ended.signal()
            }
        } catch {
            throw Fault(.inputOutput, "no thread can be started for a caller")
        }
    }

    /// Waits for the call to end.
    func result() -> JSONValue {
        ended.wait()
        return outcome.withLock { $0 } ?? .null
    }
}

extension CallContext {
    /// Makes each call on a thread of its own.
    fileprivate func atOnce(_ arguments: CallArguments) throws(Fault) -> [JSONValue] {
        let calls = try arguments.callsOfOthers()
        let end = try arguments.endOfTransaction()
        if end == nil {
            try requireNoTransaction(arguments)
        } else if openTransaction(arguments) == nil {
            throw Fault(.closed, "the store has no open transaction: begin one first")
        }
        // A caller would wait for ever for the transaction of a store that this call does not end.
        let ending = end == nil ? nil : try storeName(arguments)
        for (_, arguments) in calls where try storeName(arguments) != ending {
            try requireNoTransaction(arguments)
        }
        // The stores are opened before, because threads only look them up.
        let stores = try calls.map { (_, arguments) throws(Fault) in try store(arguments) }
        let callers = calls.map { _ in Caller() }
        for ((handler, arguments), (caller, store)) in zip(calls, zip(callers, stores)) {
            let before = store.waitingCallers
            // Some callers wait without a thread of their own.
            let work = SuspendedCalls.work(of: handler.name) ?? handler.work
            try caller.begin { [self] () throws(Fault) in try work(self, arguments) }
            if end != nil {
                // It answers, or waits for the transaction: then comes the next one, so that their order is known.
                store.letOthersWait { caller.hasEnded || $0.writers > before.writers || $0.readers > before.readers }
            }
        }
        if let end {
            try endTransaction(end, arguments)
        }
        return callers.map { $0.result() }
    }
}

extension CallArguments {
    /// The calls of `atOnce`.
    fileprivate func callsOfOthers() throws(Fault) -> [(CallHandler, CallArguments)] {
        var calls: [(CallHandler, CallArguments)] = []
        for call in try objects("calls") {
            guard let name = call["call"]?.string, CallerCalls.names.contains(name),
                let handler = CallTable.handler(of: name)
            else {
                throw Self.wrong("calls", "must be an array of calls that several callers can make at the same time")
            }
            calls.append((handler, CallArguments(call["args"]?.object ?? JSONObject())))
        }
        return calls
    }

    /// How the open transaction ends.
    fileprivate func endOfTransaction() throws(Fault) -> OpenTransaction.End? {
        switch try optionalText("ends") {
        case nil: nil
        case "commit"?: .commit
        case "rollback"?: .rollback
        default: throw Self.wrong("ends", "must be commit or rollback")
        }
    }
}
