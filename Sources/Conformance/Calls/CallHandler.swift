import JSONText
import SQLiteAccess
import Soups

/// Holds what one call of the contract does. The tables of them, one for each family, are the dispatcher.
struct CallHandler: Sendable {
    typealias Work = @Sendable (CallContext, CallArguments) throws(Fault) -> JSONValue

    let name: String
    /// The clock of the vectors moves after the call, whether it succeeds or not.
    let writes: Bool
    /// The call is part of its store's open transaction, where there is one. A call that ends transactions or needs a
    /// whole store is not.
    var joinsTransactions = true
    let work: Work

    static func reads(_ name: String, _ work: @escaping Work) -> CallHandler {
        CallHandler(name: name, writes: false, work: work)
    }
    static func writes(_ name: String, _ work: @escaping Work) -> CallHandler {
        CallHandler(name: name, writes: true, work: work)
    }

    static func apart(_ name: String, writes: Bool, _ work: @escaping Work) -> CallHandler {
        CallHandler(name: name, writes: writes, joinsTransactions: false, work: work)
    }
}

/// Finds the handler of a call by its name.
enum CallTable {
    /// Every family of calls, in the order of the contract.
    static let handlers: [CallHandler] =
        BackendCalls.all + SoupCalls.all + EntryCalls.all + TransactionCalls.all + QueryCalls.all + CursorCalls.all
        + StoreCalls.all + ODataCalls.all

    private static let byName: [ByteKey: CallHandler] = Dictionary(
        uniqueKeysWithValues: handlers.map { (ByteKey($0.name), $0) })

    static func handler(of name: String) -> CallHandler? { byName[ByteKey(name)] }
}

/// The calls about the back end itself.
enum BackendCalls {
    static let all: [CallHandler] = [
        .reads("hello") { (context, arguments) throws(Fault) in
            if let format = try arguments.optionalInteger("format"), format != 1 {
                throw Fault(.unsupported, "unsupported format \(format); only format 1 is supported")
            }
            return [
                "name": .string(context.backEnd.rawValue), "version": "1", "format": 1,
                "capabilities": .array(
                    context.capabilities.map { .string($0.rawValue) }.sorted { ($0.string ?? "") < ($1.string ?? "") }),
            ]
        },
        .apart("reset", writes: false) { (context, _) throws(Fault) in
            try context.reset()
            return true
        },
    ]
}
