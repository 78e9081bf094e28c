import Libc

/// The clocks of the system.
package enum SystemClock {
    /// Nanoseconds of a clock that only goes forward, at its own pace, and cannot be set.
    package static var monotonicNanoseconds: UInt64 { nanoseconds(CLOCK_MONOTONIC_RAW) }

    /// Nanoseconds of processor time that this process has used.
    package static var processorNanoseconds: UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// Milliseconds since 1970, truncated.
    package static var wallMilliseconds: Int64 {
        let time = now(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        let time = now(clock)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func now(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
