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
        try forEachStore(
            { (store) throws(Fault) in try store.suspend() }, { (values) throws(Fault) in try values.suspend() })
    }

    /// Resumes every store that is suspended, and lets stores be opened again.
    ///
    /// - Throws: the first fault of a store that cannot be opened. It stays suspended, and the others are resumed.
    public func resume() throws(Fault) {
        try claims.refuseHolders()
        suspension.lift()
        try forEachStore(
            { (store) throws(Fault) in try store.resume() }, { (values) throws(Fault) in try values.resume() })
    }

    /// Whether `suspend` was called, and not `resume` since.
    public var isSuspended: Bool { suspension.isRequested }

    /// Visits all open stores, one claim at a time. Throws the first fault once all were visited.
    private func forEachStore(
        _ visit: (SmartStore) throws(Fault) -> Void, _ visitValues: (KeyValueStore) throws(Fault) -> Void
    ) throws(Fault) {
        var first: Fault?
        for name in namesInUse() {
            do throws(Fault) {
                try holding(name, hasValues: false) { () throws(Fault) in
                    if let store = openStore(name) {
                        try visit(store)
                    }
                }
            } catch {
                first = first ?? error
            }
        }
        for name in keyValueNamesInUse() {
            do throws(Fault) {
                try holding(name, hasValues: true) { () throws(Fault) in
                    if let values = keyValues.kept(name) {
                        try visitValues(values)
                    }
                }
            } catch {
                first = first ?? error
            }
        }
        if let first {
            throw first
        }
    }

    /// Runs work that waits for the calls under way in a store, with the claim to that store.
    private func holding(_ name: StoreName, hasValues: Bool, _ work: () throws(Fault) -> Void) throws(Fault) {
        let store = StoreClaims.Store(name: name, hasValues: hasValues)
        try claims.holding(.store(store), inside: storesOfCaller) { () throws(Fault) in
            try claims.closing(store, work)
        }
    }
}
