import CSQLite
public import Soups

extension Connection {
    /// Ends statements that still run when the time is over.
    ///
    /// - Parameter time: nil sets no limit, and costs nothing.
    /// - Throws: `limitExceeded` where the time is over, and what the work throws.
    public func limited<R>(to time: Duration?, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        guard let time else {
            return try work()
        }
        let watch = handle.watch
        let outer = watch.deadline
        let end = ContinuousClock.now + time
        watch.watch(for: watch.cancellation, until: outer.map { min($0, end) } ?? end, handle)
        defer { watch.watch(for: watch.cancellation, until: outer, handle) }
        do throws(Fault) {
            return try work()
        } catch {
            guard let code = error.resultCode, ResultCode(rawValue: code).primary == SQ_INTERRUPT, .now >= end else {
                throw error
            }
            let fault = Fault(.limitExceeded, "the statement ran longer than \(time)", context: error.context)
            watch.rename(error, to: fault)
            throw fault
        }
    }

    /// Runs work for a call that can be cancelled from another thread: statements that run are interrupted, and those
    /// that follow are refused.
    ///
    /// A transaction in which that happens is rolled back whole, whatever the work does with the error. A COMMIT that
    /// has begun is not interrupted. The fault thrown is of no interest: `Cancellation.wasNoticed` tells that it came
    /// from the cancellation.
    public func cancellable<R>(by cancellation: Cancellation, _ work: () throws(Fault) -> R) throws(Fault) -> R {
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

    /// Runs work that a cancellation does not end: what puts things in order after one.
    public func uncancellable<R>(_ work: () throws(Fault) -> R) throws(Fault) -> R {
        let watch = handle.watch
        guard let cancellation = watch.cancellation else {
            return try work()
        }
        watch.watch(for: nil, until: watch.deadline, handle)
        defer { watch.watch(for: cancellation, until: watch.deadline, handle) }
        return try work()
    }

    /// Whether the call that the connection works for was ended by a cancellation.
    public var isCallCancelled: Bool { handle.watch.cancellation?.wasNoticed ?? false }

    /// Throws where the call that the connection works for was cancelled, or its transaction was lost: for work between
    /// statements.
    public func checkCall() throws(Fault) { try handle.watch.check() }
}
