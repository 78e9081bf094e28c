import CSQLite
public import Soups

/// Says until when statements may run. SQLite asks it every so many steps. Source:
/// https://sqlite.org/c3ref/progress_handler.html.
private final class Deadline {
    let end: ContinuousClock.Instant

    init(_ end: ContinuousClock.Instant) { self.end = end }

    /// Steps of SQLite's machine between two looks at the clock: well under a millisecond of work.
    static let steps: Int32 = 10_000
}

extension Connection {
    /// Ends statements that still run when the time is over.
    ///
    /// - Parameter time: nil sets no limit, and costs nothing.
    /// - Throws: `limitExceeded` where the time is over, and what the work throws.
    public func limited<R>(to time: Duration?, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        guard let time else {
            return try work()
        }
        let deadline = Deadline(.now + time)
        // SQLite holds a bare pointer; the object outlives it, for the handler is taken away before the scope ends.
        return try withExtendedLifetime(deadline) { () throws(Fault) in
            sq_progress_handler(
                handle.table, handle.database, Deadline.steps,
                { context in
                    guard let context else {
                        return 0
                    }
                    return .now >= Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().end ? 1 : 0
                }, Unmanaged.passUnretained(deadline).toOpaque())
            defer { sq_progress_handler(handle.table, handle.database, 0, nil, nil) }
            do throws(Fault) {
                return try work()
            } catch {
                guard let code = error.resultCode, ResultCode(rawValue: code).primary == SQ_INTERRUPT,
                    .now >= deadline.end
                else {
                    throw error
                }
                let fault = Fault(.limitExceeded, "the statement ran longer than \(time)", context: error.context)
                handle.watch.rename(error, to: fault)
                throw fault
            }
        }
    }
}
