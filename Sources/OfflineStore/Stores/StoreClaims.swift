import Platform
import Soups

/// Decides which thread may open, close or remove which store of a directory: one at a time for each store, and no
/// other while all of them are being removed.
///
/// A monitor with one mutex and one condition. A thread may hold several claims, because the closure that gives the
/// options of one store may ask for another. If waiting would never end, because the caller itself or a chain of
/// waiting threads holds what is claimed, the claim is refused. `@unchecked Sendable`: every access to the state below
/// holds `lock`.
final class StoreClaims: @unchecked Sendable {
    enum Claim {
        case store(StoreDirectory.StoreName)
        /// All stores of the user, or all global ones.
        case all(isGlobal: Bool)
    }

    private let lock = Lock()
    private let changed = Condition()
    private var stores: [StoreDirectory.StoreName: ThreadID] = [:]
    private var kinds: [Bool: ThreadID] = [:]
    /// The claim that each waiting thread waits for.
    private var waiting: [ThreadID: Claim] = [:]

    /// Runs work while the calling thread alone has the claim; waits for threads that have it.
    ///
    /// - Throws: `busy` if waiting would never end; what the work throws.
    func holding<R>(_ claim: Claim, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        try lock.locked { () throws(Fault) in try take(claim) }
        defer { lock.locked { release(claim) } }
        return try work()
    }

    /// Throws `busy` if the calling thread has a claim of its own, as it has inside the closure that gives options.
    ///
    /// - Parameter isGlobal: Limits the check to claims of one kind.
    func refuseHolders(isGlobal: Bool? = nil) throws(Fault) {
        let isHolder = lock.locked {
            let me = ThreadID.current
            return stores.contains { $0.value == me && isGlobal ?? $0.key.isGlobal == $0.key.isGlobal }
                || kinds.contains { $0.value == me && isGlobal ?? $0.key == $0.key }
        }
        if isHolder {
            throw Self.refusal
        }
    }

    /// The stores that threads are opening, closing or removing now.
    var claimedStores: [StoreDirectory.StoreName] { lock.locked { Array(stores.keys) } }

    private func take(_ claim: Claim) throws(Fault) {
        let me = ThreadID.current
        defer { waiting[me] = nil }
        while true {
            let holders = holders(of: claim)
            if holders.isEmpty {
                break
            }
            if leads(holders, to: me) {
                throw Self.refusal
            }
            waiting[me] = claim
            changed.wait(lock)
        }
        switch claim {
        case .store(let name): stores[name] = me
        case .all(let isGlobal): kinds[isGlobal] = me
        }
    }

    private func release(_ claim: Claim) {
        switch claim {
        case .store(let name): stores[name] = nil
        case .all(let isGlobal): kinds[isGlobal] = nil
        }
        changed.broadcast()
    }

    /// The threads whose claims exclude this one.
    private func holders(of claim: Claim) -> [ThreadID] {
        switch claim {
        case .store(let name): [stores[name], kinds[name.isGlobal]].compactMap(\.self)
        case .all(let isGlobal):
            stores.filter { $0.key.isGlobal == isGlobal }.map(\.value) + [kinds[isGlobal]].compactMap(\.self)
        }
    }

    /// Whether one of the threads is the target, or waits for it through others.
    private func leads(_ threads: [ThreadID], to target: ThreadID) -> Bool {
        var seen: Set<ThreadID> = []
        var rest = threads
        while let thread = rest.popLast() {
            if thread == target {
                return true
            }
            if seen.insert(thread).inserted, let claim = waiting[thread] {
                rest += holders(of: claim)
            }
        }
        return false
    }

    private static let refusal = Fault(
        .busy,
        "the store is being opened or removed by a call that waits for this one: "
            + "ask only for other stores in the closure that gives options")
}
