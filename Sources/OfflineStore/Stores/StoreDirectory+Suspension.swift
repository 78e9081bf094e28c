import SQLiteAccess
public import Soups

extension StoreDirectory {
    /// Suspends every open store, key-value stores too, as `SmartStore.suspend()` does: for an app that is about to be
    /// suspended. Until `resume` no store is opened, and requests of one that is not open throw `suspended`.
    ///
    /// Waits for stores that are being opened.
    ///
    /// - Throws: `busy` if the caller is inside a call of one of them, or inside the closure that gives options. When a
    ///   store cannot be suspended, the others are.
    public func suspend() throws(Fault) {
        try claims.refuseHolders()
        try refuseInside { _ in true }
        try refuseInsideKeyValues { _ in true }
        suspension.request()
        try forEachStore { (store) throws(Fault) in
            if store.hasValues {
                try keyValues.kept(store.name)?.suspend()
            } else {
                try openStore(store.name)?.suspend()
            }
        }
    }

    /// Resumes every store that is suspended, and lets stores be opened again.
    ///
    /// - Throws: the first fault of a store that cannot be opened. It stays suspended, and the others are resumed.
    public func resume() throws(Fault) {
        try claims.refuseHolders()
        suspension.lift()
        try forEachStore { (store) throws(Fault) in
            if store.hasValues {
                try keyValues.kept(store.name)?.resume()
            } else {
                try openStore(store.name)?.resume()
            }
        }
    }

    /// Whether `suspend` was called, and not `resume` since.
    public var isSuspended: Bool { suspension.isRequested }

    /// Visits all open stores, with the claim to one at a time. The visit may wait for the calls under way in it. Throws
    /// the first fault once all were visited.
    private func forEachStore(_ visit: (StoreClaims.Store) throws(Fault) -> Void) throws(Fault) {
        let stores =
            namesInUse().map { StoreClaims.Store(name: $0) }
            + keyValueNamesInUse().map { StoreClaims.Store(name: $0, hasValues: true) }
        var first: Fault?
        for store in stores {
            do throws(Fault) {
                try claims.holding(.store(store), inside: storesOfCaller) { () throws(Fault) in
                    try claims.closing(store) { () throws(Fault) in try visit(store) }
                }
            } catch {
                first = first ?? error
            }
        }
        if let first {
            throw first
        }
    }
}
