package import Soups

extension Connection {
    /// Runs work for a call that can be cancelled from another thread: running statements are interrupted, and further
    /// ones are refused.
    ///
    /// If that happens inside a transaction, the whole transaction is rolled back, whatever the work does with the
    /// error. A COMMIT that has begun is not interrupted. The code of the fault thrown does not matter:
    /// `Cancellation.wasNoticed` says that it came from the cancellation.
    package func cancellable<R>(by cancellation: Cancellation, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let watch = handle.watch
        if watch.cancellation === cancellation {
            return try work()
        }
        let outer = watch.cancellation
        watch.watch(for: cancellation, until: watch.deadline, handle)
        defer { watch.watch(for: outer, until: watch.deadline, handle) }
        try watch.check()
        return try work()
    }

    /// Runs work that a cancellation does not end, such as cleaning up after one.
    package func uncancellable<R>(_ work: () throws(Fault) -> R) throws(Fault) -> R {
        let watch = handle.watch
        guard let cancellation = watch.cancellation else {
            return try work()
        }
        watch.watch(for: nil, until: watch.deadline, handle)
        defer { watch.watch(for: cancellation, until: watch.deadline, handle) }
        return try work()
    }

    /// What cancels the call that the connection works for, if it can be cancelled.
    package var cancellation: Cancellation? { handle.watch.cancellation }

    /// Whether the call that the connection works for was ended by a cancellation.
    package var isCallCancelled: Bool { handle.watch.cancellation?.wasNoticed ?? false }

    /// Throws if the call that the connection works for was cancelled, or its transaction was lost: for work between
    /// statements.
    package func checkCall() throws(Fault) { try handle.watch.check() }
}
