import Libc

/// Measures the processor time of the calling thread, which does not grow when other processes keep the machine busy.
public enum ThreadTime {
    /// Returns the processor time that the work takes. The work must not suspend or use other threads.
    public static func measure(_ work: () throws -> Void) rethrows -> Duration {
        let start = now()
        try work()
        return now() - start
    }

    private static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
