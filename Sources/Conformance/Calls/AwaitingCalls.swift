import EntryCoding
import JSONText
import OfflineStore
import Soups

/// The calls that wait, as one caller, for what another call commits.
enum AwaitingCalls {
    static let all: [CallHandler] = [
        .apart("store.awaitChanges", writes: false) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let soups = arguments.value("soups") == nil ? nil : try arguments.texts("soups")
            let (store, call) = (try context.store(arguments), try arguments.innerCall())
            try store.requireOpen()
            let (known, awaited) = (store.changes(in: soups), store.changes(in: soups))
            let waiting = try Waiting(in: store) {
                var changes = awaited.makeAsyncIterator()
                return await changes.next()
            }
            try context.make(call, otherwise: waiting.cancel)
            let expected = known.takeKnown()
            guard !expected.isEmpty else {
                waiting.cancel()
                guard try waiting.result() == nil else { throw EntryReadings.disagreement("by waiting") }
                return []
            }
            guard try waiting.result() == expected else { throw EntryReadings.disagreement("by waiting") }
            return .array(expected.map(\.json))
        },
        .apart("store.awaitResult", writes: false) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let store = try context.store(arguments)
            if let text = try arguments.optionalText("smartSql") {
                return try context.awaitRows(text, arguments.boundArguments(), store, arguments)
            }
            if arguments.value("entryIds") != nil {
                return try context.awaitEntries(
                    of: arguments.integers("entryIds"), try arguments.soupName(), store, arguments)
            }
            let (spec, limit) = (try arguments.querySpec(), try arguments.optionalInt("limit"))
            return try context.awaitEntries(
                spec, try arguments.soupName(), limit: limit, store, arguments)
        },
    ]

    static let capabilities: Set<Capability> = [.awaiting]
}

extension CallContext {
    /// Makes the call that is an argument of another one.
    fileprivate func make(_ call: VectorCall, otherwise undo: () -> Void) throws(Fault) {
        do throws(CallFailure) {
            _ = try run(call.name, call.arguments)
        } catch {
            undo()
            guard case .fault(let fault) = error else { throw Fault(.closed, "the inner call did not end") }
            throw fault
        }
    }

    /// What a query gives before and after a call: nil if that is the same.
    fileprivate func awaitEntries(
        _ spec: QuerySpec, _ soup: String, limit: Int?, _ store: SmartStore, _ arguments: CallArguments
    ) throws(Fault) -> JSONValue {
        let read = { () throws(Fault) -> EntryList in
            try EntryReadings.ownFaults { try store.read { try $0.entries(spec, in: soup, limit: limit) } }
        }
        return try awaiting(
            store.liveQuery(spec, in: soup, limit: limit), store, arguments, read: read,
            json: { (entries) throws(Fault) in try CallResults.entry(entries.jsonArray) })
    }

    fileprivate func awaitEntries(
        of ids: [Int64], _ soup: String, _ store: SmartStore, _ arguments: CallArguments
    ) throws(Fault) -> JSONValue {
        let read = { () throws(Fault) -> EntryList in
            try EntryReadings.ownFaults { try store.read { try $0.retrieve(ids: ids, from: soup) } }
        }
        return try awaiting(
            store.live { try $0.retrieve(ids: ids, from: soup) }, store, arguments, read: read,
            json: { (entries) throws(Fault) in try CallResults.entry(entries.jsonArray) })
    }

    fileprivate func awaitRows(
        _ text: String, _ bound: [SQLValue], _ store: SmartStore, _ arguments: CallArguments
    ) throws(Fault) -> JSONValue {
        let read = { () throws(Fault) -> RowList in try store.rows(text, arguments: bound) }
        return try awaiting(
            store.liveRows(text, arguments: bound), store, arguments, read: read,
            json: { (rows) throws(Fault) in try CallResults.rows(rows.map { Array($0) }) })
    }

    private func awaiting<Value: Sendable & Equatable>(
        _ values: LiveValues<Value>, _ store: SmartStore, _ arguments: CallArguments,
        read: () throws(Fault) -> Value, json: (Value) throws(Fault) -> JSONValue
    ) throws(Fault) -> JSONValue {
        let call = try arguments.innerCall()
        let (before, updates) = try EntryReadings.ownFaults { try values.start() as (Value, LiveValues<Value>) }
        let waiting = try Waiting(in: store) {
            var next = updates.makeAsyncIterator()
            return try await next.next()
        }
        try make(call, otherwise: waiting.cancel)
        let after: Value
        do throws(Fault) {
            after = try read()
        } catch {
            // A value that cannot be read any more ends the waiting with the same fault.
            _ = try waiting.result()
            throw error
        }
        guard after != before else {
            waiting.cancel()
            return ["before": try json(before), "after": .null]
        }
        guard try waiting.result() == after else { throw EntryReadings.disagreement("by waiting") }
        return ["before": try json(before), "after": try json(after)]
    }
}

extension CallArguments {
    /// The call that is made while this one waits.
    fileprivate func innerCall() throws(Fault) -> VectorCall {
        VectorCall(name: try text("call"), arguments: try optionalObject("args") ?? JSONObject())
    }
}
