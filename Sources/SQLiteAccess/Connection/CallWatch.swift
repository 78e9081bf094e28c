import Soups

/// Knows what stands in the way of the next statement of a connection: a transaction that SQLite has rolled back by
/// itself.
///
/// Belongs to the connection's thread, like everything of a connection.
final class CallWatch {
    /// How many transactions of the connection are open inside each other.
    private(set) var depth = 0
    /// The fault with which the whole transaction was lost. It stays until the outermost one ends.
    private(set) var loss: Fault?
    /// Whether `check` would throw. Looked at before every step, so it is one load; only the connection's thread
    /// touches it.
    @exclusivity(unchecked) private(set) var isBlocked = false

    func enter() { depth += 1 }

    func leave() {
        depth -= 1
        guard depth == 0, loss != nil else { return }
        loss = nil
        isBlocked = false
    }

    /// Notes a failure of a statement. Inside a transaction that is not there any more, the transaction is lost.
    func note(_ fault: Fault, isInTransaction: Bool) {
        guard depth > 0, loss == nil, !isInTransaction else { return }
        loss = fault
        isBlocked = true
    }

    /// Gives the fault that lost the transaction the name that the caller knows it by.
    func rename(_ fault: Fault, to other: Fault) {
        if loss == fault {
            loss = other
        }
    }

    /// Throws the fault of a lost transaction.
    func check() throws(Fault) {
        if let loss {
            throw loss
        }
    }
}
