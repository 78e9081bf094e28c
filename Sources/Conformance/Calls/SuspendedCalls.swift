import JSONText
import OfflineStore
import Soups

/// The forms of calls for asynchronous code, for callers that wait without a thread of their own.
enum SuspendedCalls {
    /// The form of a call; nil for one whose callers block.
    static func work(of name: String) -> CallHandler.Work? {
        switch name {
        case "storeValues": storeValues
        case "countQuery": countQuery
        case "retrieveSoupEntries": retrieveSoupEntries
        default: nil
        }
    }

    private static let storeValues: CallHandler.Work = { (context, arguments) throws(Fault) in
        let (store, soup) = (try context.store(arguments), try arguments.soupName())
        let path = try arguments.optionalText("externalIdPath")
        let values = try arguments.array("entries").map { CodableTree($0) }
        let ids = try SyncCalls.awaiting {
            try await store.upsert(values: values, into: soup, externalIdPath: path)
        }
        return .array(ids.map { .number(JSONNumber($0)) })
    }

    private static let countQuery: CallHandler.Work = { (context, arguments) throws(Fault) in
        let (store, spec) = (try context.store(arguments), try arguments.querySpec())
        let (bound, soup) = (try arguments.boundArguments(), spec.kind == .smart ? "" : try arguments.soupName())
        let count = try SyncCalls.awaiting {
            spec.kind == .smart
                ? try await store.count(spec, arguments: bound) : try await store.count(spec, soup: soup)
        }
        return .number(JSONNumber(Int64(count)))
    }

    private static let retrieveSoupEntries: CallHandler.Work = { (context, arguments) throws(Fault) in
        let (store, soup) = (try context.store(arguments), try arguments.soupName())
        let ids = try arguments.integers("entryIds")
        let entries = try SyncCalls.awaiting { try await store.retrieve(ids: ids, from: soup) as [[UInt8]] }
        return .array(try entries.map { (entry) throws(Fault) in try CallResults.entry(entry) })
    }
}
