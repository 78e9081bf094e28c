import OfflineStore
import Soups

extension CallContext {
    /// Closes stores for some work on their files, and opens them again with their keys and their options. Their
    /// cursors and handles end.
    ///
    /// - Throws: `busy` if one has an open transaction; `closed` if one is closed, because a call about its file must
    ///   not open it; what `work` throws, after the stores are open again.
    func whileClosed<R>(_ names: [StoreName], _ work: () throws(Fault) -> R) throws(Fault) -> R {
        var stores: [SmartStore] = []
        for name in names {
            try requireNoTransaction(name)
            let store = try store(name)
            try store.requireOpen()
            stores.append(store)
        }
        for (name, store) in zip(names, stores) {
            try store.close()
            endAll(of: name)
        }
        let result: Result<R, Fault>
        do throws(Fault) {
            result = .success(try work())
        } catch {
            result = .failure(error)
        }
        var failure: Fault?
        for store in stores {
            do throws(Fault) {
                try store.reopen()
            } catch {
                failure = failure ?? error
            }
        }
        if case .success = result, let failure {
            throw failure
        }
        return try result.get()
    }
}
