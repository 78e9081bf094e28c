import Platform
import Soups

/// Decides which thread may open, close or remove which store of a directory, of soups or of values: one at a time for
/// each store, and no other while all of them are being removed.
///
/// A thread may hold several claims, because the closure that gives the options of one store may ask for another. If
/// waiting would never end, the claim is refused: because the caller itself or a chain of waiting threads holds what is
/// claimed, or because one of the chain waits for the end of a call that the caller is inside of.
final class StoreClaims: Sendable {
    /// A store of soups, or one of values, of a directory.
    struct Store: Hashable, Sendable {
        let name: StoreDirectory.StoreName
        var hasValues = false

        fileprivate var group: Group { Group(isGlobal: name.isGlobal, hasValues: hasValues) }
    }

    /// All stores of one kind, of the user or global.
    struct Group: Hashable, Sendable {
        let isGlobal: Bool
        var hasValues = false
    }

    enum Claim {
        case store(Store)
        case all(Group)
    }

    fileprivate struct State {
        var stores: [Store: ThreadID] = [:]
        var groups: [Group: ThreadID] = [:]
        /// What each waiting thread waits for, and the stores whose calls it is inside of.
        var waiting: [ThreadID: (claim: Claim, inside: Set<Store>)] = [:]
        /// The store that a thread closes: it waits for the calls under way in it.
        var closing: [ThreadID: Store] = [:]
    }

    private let state = Monitor(State())

    /// Runs work while the calling thread alone has the claim; waits for threads that have it.
    ///
    /// - Parameter inside: The stores whose calls the calling thread is inside of. It does not wait for a thread that
    ///   has the claim to all stores of their kind, which waits for such calls to end.
    /// - Throws: `busy` if waiting would never end; what the work throws.
    func holding<R>(
        _ claim: Claim, inside: Set<Store>, _ work: () throws(Fault) -> R
    ) throws(Fault) -> R {
        let me = ThreadID.current
        try state.wait { (state) throws(Fault) -> Void? in
            if case .store(let store) = claim, inside.contains(where: { $0.hasValues == store.hasValues }),
                let holder = state.groups[store.group], holder != me
            {
                state.waiting[me] = nil
                throw Self.removal
            }
            return try state.take(claim, inside: inside, for: me) ? () : nil
        }
        defer { state.change { $0.release(claim) } }
        return try work()
    }

    /// Runs the work that closes a store. The caller must hold the claim to it.
    ///
    /// - Throws: `busy` if a call under way in the store waits for the caller; what the work throws.
    func closing(_ store: Store, _ work: () throws(Fault) -> Void) throws(Fault) {
        let me = ThreadID.current
        try state.locked { (state) throws(Fault) in
            guard !state.leads(state.threads(inside: store), to: me) else { throw Self.refusal }
            state.closing[me] = store
        }
        defer { state.change { $0.closing[me] = nil } }
        try work()
    }

    /// Throws `busy` if the calling thread has a claim of its own, as it has inside the closure that gives options.
    ///
    /// - Parameter group: Limits the check to claims to these stores.
    func refuseHolders(_ group: Group? = nil) throws(Fault) {
        let me = ThreadID.current
        let isHolder = state.locked { state in
            state.stores.contains { $0.value == me && group ?? $0.key.group == $0.key.group }
                || state.groups.contains { $0.value == me && group ?? $0.key == $0.key }
        }
        if isHolder {
            throw Self.refusal
        }
    }

    /// The stores of a kind that threads are opening, closing or removing now.
    func claimed(hasValues: Bool) -> [StoreDirectory.StoreName] {
        state.locked { $0.stores.keys.filter { $0.hasValues == hasValues }.map(\.name) }
    }

    /// How many threads wait for a claim.
    var waitingCount: Int { state.locked { $0.waiting.count } }

    private static let removal = Fault(
        .busy,
        "all stores are being removed, and that waits for the call that asks for this one: "
            + "open stores outside of transactions and reading calls")

    fileprivate static let refusal = Fault(
        .busy,
        "the store is being opened or removed by a call that waits for this one: ask only for other stores in the "
            + "closure that gives options, and for none that is being removed in a transaction or a reading call")
}

extension StoreClaims.State {
    /// Gives the claim to a thread. Returns false if the thread has to wait.
    mutating func take(
        _ claim: StoreClaims.Claim, inside: Set<StoreClaims.Store>, for me: ThreadID
    ) throws(Fault) -> Bool {
        waiting[me] = nil
        let holders = holders(of: claim)
        guard holders.isEmpty else {
            // First, because a thread that closes a store waits for those inside of its calls.
            waiting[me] = (claim, inside)
            if leads(holders, to: me) {
                waiting[me] = nil
                throw StoreClaims.refusal
            }
            return false
        }
        switch claim {
        case .store(let store): stores[store] = me
        case .all(let group): groups[group] = me
        }
        return true
    }

    mutating func release(_ claim: StoreClaims.Claim) {
        switch claim {
        case .store(let store): stores[store] = nil
        case .all(let group): groups[group] = nil
        }
    }

    /// The threads whose claims exclude this one.
    private func holders(of claim: StoreClaims.Claim) -> [ThreadID] {
        switch claim {
        case .store(let store): [stores[store], groups[store.group]].compactMap(\.self)
        case .all(let group): stores.filter { $0.key.group == group }.map(\.value) + [groups[group]].compactMap(\.self)
        }
    }

    /// The waiting threads that are inside of a call of a store.
    func threads(inside store: StoreClaims.Store) -> [ThreadID] {
        waiting.filter { $0.value.inside.contains(store) }.map(\.key)
    }

    /// Whether one of the threads is the target, or waits for it through others.
    func leads(_ threads: [ThreadID], to target: ThreadID) -> Bool {
        var seen: Set<ThreadID> = []
        var rest = threads
        while let thread = rest.popLast() {
            if thread == target {
                return true
            }
            guard seen.insert(thread).inserted else { continue }
            if let claim = waiting[thread]?.claim {
                rest += holders(of: claim)
            }
            if let store = closing[thread] {
                rest += self.threads(inside: store)
            }
        }
        return false
    }
}
