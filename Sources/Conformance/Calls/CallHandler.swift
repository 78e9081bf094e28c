import JSONText
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
