import JSONText
import Soups

/// The implementation of one call of the contract. Each family of calls has a table of them.
struct CallHandler: Sendable {
    typealias Work = @Sendable (CallContext, CallArguments) throws(Fault) -> JSONValue

    let name: String
    /// Whether the clock of the vectors advances after the call, even if the call fails.
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
