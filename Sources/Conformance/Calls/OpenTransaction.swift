import Dispatch
import OfflineStore
import Platform
import Soups

/// Keeps a transaction of a store open between calls.
///
/// The store only knows `transaction { _ in }`, whose calls are made by one thread inside the closure. So a thread of
/// its own enters the closure, runs there what is handed to it, and leaves it with `end`. A thread and not a queue: it
/// waits for as long as the transaction is open.
///
/// `@unchecked Sendable`: caller and thread take turns, each wakes the other through a semaphore and then waits. Not
/// for concurrent callers.
final class OpenTransaction: @unchecked Sendable {
    enum End { case commit, rollback }

    private enum Order {
        case run(() -> Void)
        case end(End)
    }

    /// Thrown out of the closure so that the store undoes everything.
    private struct RolledBack: Error {}

    private let store: SmartStore
    private let asked = DispatchSemaphore(value: 0)
    private let answered = DispatchSemaphore(value: 0)
    private var order = Order.end(.rollback)
    /// How the closure ended; nil while the transaction is open.
    private var outcome: Result<Void, any Error>?

    /// Begins a transaction. Throws the fault of the store if it cannot begin.
    init(of store: SmartStore) throws(Fault) {
        self.store = store
        try startThread()
        answered.wait()
        guard case .failure(let error)? = outcome else { return }
        throw Self.fault(error)
    }

    /// Runs a call inside the transaction. A call that throws has changed nothing; the transaction stays open.
    func run<R>(_ work: @escaping () throws(Fault) -> R) throws(Fault) -> R {
        var result: Result<R, Fault>?
        ask(.run { result = Result { () throws(Fault) in try work() } })
        guard let result else {
            throw Fault(.closed, "the transaction has ended")
        }
        return try result.get()
    }

    /// Ends the transaction. Throws what the store says where it cannot be committed: nothing of it is kept then.
    func end(_ end: End) throws(Fault) {
        ask(.end(end))
        guard case .failure(let error)? = outcome, !(error is RolledBack) else { return }
        throw Self.fault(error)
    }

    private func ask(_ next: Order) {
        order = next
        asked.signal()
        answered.wait()
    }

    private static func fault(_ error: any Error) -> Fault {
        error as? Fault ?? Fault(.closed, "the transaction ended with another error")
    }
}

// MARK: - The thread
extension OpenTransaction {
    private func startThread() throws(Fault) {
        do {
            try DetachedThread.start { [self] in
                outcome = Result { try store.transaction { _ in try obey() } }
                answered.signal()
            }
        } catch {
            throw Fault(.inputOutput, "no thread can be started for a transaction")
        }
    }

    /// Runs inside the transaction until the order to end it comes.
    private func obey() throws {
        answered.signal()
        while true {
            asked.wait()
            switch order {
            case .run(let work): work()
            case .end(.commit): return
            case .end(.rollback): throw RolledBack()
            }
            answered.signal()
        }
    }
}
