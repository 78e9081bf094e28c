import Platform
import Soups

/// Decides which thread may open, close or remove which store of a directory: one at a time for each store, and no
/// other while all of them are being removed.
///
/// A thread may hold several claims, because the closure that gives the options of one store may ask for another. If
/// waiting would never end, because the caller itself or a chain of waiting threads holds what is claimed, the claim is
/// refused.
final class StoreClaims: Sendable {
    enum Claim {
        case store(StoreDirectory.StoreName)
        /// All stores of the user, or all global ones.
        case all(isGlobal: Bool)
    }

    fileprivate struct State {
        var stores: [StoreDirectory.StoreName: ThreadID] = [:]
        var kinds: [Bool: ThreadID] = [:]
        /// The claim that each waiting thread waits for.
        var waiting: [ThreadID: Claim] = [:]
    }

    private let state = Monitor(State())

    /// Runs work while the calling thread alone has the claim; waits for threads that have it.
    ///
    /// - Parameter isInside: Whether the calling thread is inside a call of a store. It does not wait for a thread that
    ///   has the claim to all stores, which waits for such calls to end.
    /// - Throws: `busy` if waiting would never end; what the work throws.
    func holding<R>(
        _ claim: Claim, isInside: Bool = false, _ work: () throws(Fault) -> R
    ) throws(Fault) -> R {
        let me = ThreadID.current
        try state.wait { (state) throws(Fault) -> Void? in
            if isInside, case .store(let name) = claim, let holder = state.kinds[name.isGlobal], holder != me {
                state.waiting[me] = nil
                throw Self.removal
            }
            return try state.take(claim, for: me) ? () : nil
        }
        defer { state.change { $0.release(claim) } }
        return try work()
    }

    /// Throws `busy` if the calling thread has a claim of its own, as it has inside the closure that gives options.
    ///
    /// - Parameter isGlobal: Limits the check to claims of one kind.
    func refuseHolders(isGlobal: Bool? = nil) throws(Fault) {
        let me = ThreadID.current
        let isHolder = state.locked { state in
            state.stores.contains { $0.value == me && isGlobal ?? $0.key.isGlobal == $0.key.isGlobal }
                || state.kinds.contains { $0.value == me && isGlobal ?? $0.key == $0.key }
        }
        if isHolder {
            throw Self.refusal
        }
    }

    /// The stores that threads are opening, closing or removing now.
    var claimedStores: [StoreDirectory.StoreName] { state.locked { Array($0.stores.keys) } }

    private static let removal = Fault(
        .busy,
        "all stores are being removed, and that waits for the call that asks for this one: "
            + "open stores outside of transactions and reading calls")

    fileprivate static let refusal = Fault(
        .busy,
        "the store is being opened or removed by a call that waits for this one: "
            + "ask only for other stores in the closure that gives options")
}

extension StoreClaims.State {
    /// Gives the claim to a thread. Returns false if the thread has to wait.
    mutating func take(_ claim: StoreClaims.Claim, for me: ThreadID) throws(Fault) -> Bool {
        let holders = holders(of: claim)
        guard holders.isEmpty else {
            if leads(holders, to: me) {
                waiting[me] = nil
                throw StoreClaims.refusal
            }
            waiting[me] = claim
            return false
        }
        waiting[me] = nil
        switch claim {
        case .store(let name): stores[name] = me
        case .all(let isGlobal): kinds[isGlobal] = me
        }
        return true
    }

    mutating func release(_ claim: StoreClaims.Claim) {
        switch claim {
        case .store(let name): stores[name] = nil
        case .all(let isGlobal): kinds[isGlobal] = nil
        }
    }

    /// The threads whose claims exclude this one.
    private func holders(of claim: StoreClaims.Claim) -> [ThreadID] {
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
}
