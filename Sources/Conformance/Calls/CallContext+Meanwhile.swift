import JSONText
import OfflineSync
import Soups

// The calls that an answer of the scripted service makes before it is given.
extension CallContext {
    /// Makes the calls. The run that asked waits for them, so what would wait for that run is refused.
    ///
    /// - Throws: `invalidArguments` for a call that does something else than it should, and for a transaction that is
    ///   still open at the end: the run could not write.
    func makeMeanwhile(_ calls: [JSONValue]) throws(Fault) {
        guard !calls.isEmpty else { return }
        let store = running
        let refusedBefore = sync.options.refusesToWait
        sync.configure { $0.refusesToWait = true }
        defer {
            running = store
            sync.configure { $0.refusesToWait = refusedBefore }
        }
        let outcome = Result { () throws(Fault) in
            for call in calls {
                try makeMeanwhile(call)
            }
        }
        let isOpen = try rollBackMeanwhile(in: store)
        try outcome.get()
        guard !isOpen else {
            throw Fault(.invalidArguments, "a transaction that meanwhile begins must end there: the run waits for it")
        }
    }

    /// Rolls back a transaction of the store of the run. Returns whether there was one.
    private func rollBackMeanwhile(in store: StoreName?) throws(Fault) -> Bool {
        guard let store, let transaction = transactions.removeValue(forKey: store) else { return false }
        try transaction.end(.rollback)
        return true
    }

    /// Makes a call, which must succeed, or fail as it says.
    private func makeMeanwhile(_ call: JSONValue) throws(Fault) {
        guard let name = call["call"]?.string else {
            throw CallArguments.wrong("meanwhile", "must be an array of calls")
        }
        let expected = call["fails"]
        do throws(CallFailure) {
            _ = try run(name, call["args"]?.object ?? JSONObject())
        } catch {
            guard case .fault(let fault) = error, expected?["code"]?.string == fault.code.rawValue else {
                throw Fault(.invalidArguments, "a call in meanwhile failed: \(error)")
            }
            return
        }
        guard expected == nil else {
            throw Fault(.invalidArguments, "a call in meanwhile succeeded, and should not")
        }
    }
}
