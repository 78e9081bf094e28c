import CSQLite
public import Soups

extension Connection {
    /// Ends statements that still run when the time is up.
    ///
    /// - Parameter time: The time that all statements of the work have together; nil sets no limit, and costs nothing.
    /// - Throws: `limitExceeded` if the time is up, and what the work throws.
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
}
