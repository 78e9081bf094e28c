import Soups

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Decides which thread may open, close or remove which store of a directory: one at a time for each store, and no
/// other while all of them are being removed.
///
/// A monitor with one mutex and one condition. A thread may hold several claims, because the closure that gives the
/// options of one store may ask for another. If waiting would never end, because the caller itself or a chain of
/// waiting threads holds what is claimed, the claim is refused. `@unchecked Sendable`: every access to the state below
/// holds `mutex`.
final class StoreClaims: @unchecked Sendable {
    enum Claim {
        case store(StoreDirectory.StoreName)
        /// All stores of the user, or all global ones.
        case all(isGlobal: Bool)
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var stores: [StoreDirectory.StoreName: pthread_t] = [:]
    private var kinds: [Bool: pthread_t] = [:]
    /// The claim that each waiting thread waits for.
    private var waiting: [pthread_t: Claim] = [:]

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(changed)
        mutex.deallocate()
        changed.deallocate()
    }

    /// Runs work while the calling thread alone has the claim; waits for threads that have it.
    ///
    /// - Throws: `busy` if waiting would never end; what the work throws.
    func holding<R>(_ claim: Claim, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        try locked { Result { () throws(Fault) in try take(claim) } }.get()
        defer { locked { release(claim) } }
        return try work()
    }

    /// Throws `busy` if the calling thread has a claim of its own, as it has inside the closure that gives options.
    ///
    /// - Parameter isGlobal: Limits the check to claims of one kind.
    func refuseHolders(isGlobal: Bool? = nil) throws(Fault) {
        let isHolder = locked {
            let me = pthread_self()
            return stores.contains { $0.value == me && isGlobal ?? $0.key.isGlobal == $0.key.isGlobal }
                || kinds.contains { $0.value == me && isGlobal ?? $0.key == $0.key }
        }
        if isHolder {
            throw Self.refusal
        }
    }

    /// The stores that threads are opening, closing or removing now.
    var claimedStores: [StoreDirectory.StoreName] { locked { Array(stores.keys) } }

    private func take(_ claim: Claim) throws(Fault) {
        let me = pthread_self()
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
            pthread_cond_wait(changed, mutex)
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
        pthread_cond_broadcast(changed)
    }

    /// The threads whose claims exclude this one.
    private func holders(of claim: Claim) -> [pthread_t] {
        switch claim {
        case .store(let name): [stores[name], kinds[name.isGlobal]].compactMap(\.self)
        case .all(let isGlobal):
            stores.filter { $0.key.isGlobal == isGlobal }.map(\.value) + [kinds[isGlobal]].compactMap(\.self)
        }
    }

    /// Whether one of the threads is the target, or waits for it through others.
    private func leads(_ threads: [pthread_t], to target: pthread_t) -> Bool {
        var seen: Set<pthread_t> = []
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

    private func locked<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private static let refusal = Fault(
        .busy,
        "the store is being opened or removed by a call that waits for this one: "
            + "ask only for other stores in the closure that gives options")
}
