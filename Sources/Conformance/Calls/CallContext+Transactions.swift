import OfflineStore
import Soups

extension CallContext {
    static let inTransaction = Fault(.busy, "a store has an open transaction: commit it or roll it back first")

    func beginTransaction(_ arguments: CallArguments) throws(Fault) {
        try requireNoTransaction(arguments)
        transactions[try storeName(arguments)] = try OpenTransaction(of: store(arguments))
    }

    /// Ends the open transaction, which is over whether that succeeds or not.
    func endTransaction(_ end: OpenTransaction.End, _ arguments: CallArguments) throws(Fault) {
        guard let transaction = transactions.removeValue(forKey: try storeName(arguments)) else {
            throw Fault(.closed, "the store has no open transaction: begin one first")
        }
        try transaction.end(end)
    }

    func requireNoTransaction(_ arguments: CallArguments) throws(Fault) {
        try requireNoTransaction(storeName(arguments))
    }

    func requireNoTransaction(_ name: StoreName) throws(Fault) {
        guard transactions[name] == nil else {
            throw Self.inTransaction
        }
    }

    /// The open transaction of the store that a call names. A name of the wrong type is left to the call, which says
    /// what is wrong with it.
    func openTransaction(_ arguments: CallArguments) -> OpenTransaction? {
        guard !transactions.isEmpty, let name = try? storeName(arguments) else { return nil }
        return transactions[name]
    }
}
