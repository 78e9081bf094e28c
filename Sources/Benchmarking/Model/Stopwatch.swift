#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Adds up elapsed and processor time, with pauses for what belongs to the work but must not be measured (making the
/// next batch, say).
package final class Stopwatch {
    package private(set) var wall: UInt64 = 0
    package private(set) var cpu: UInt64 = 0
    private var startedWall: UInt64?
    private var startedCPU: UInt64 = 0

    package init() {}

    /// Runs the work under the clock.
    package func measure<Result>(_ work: () throws -> Result) rethrows -> Result {
        start()
        defer { stop() }
        return try work()
    }

    /// Runs something with the clock stopped, from inside measured work.
    package func pause<Result>(_ work: () throws -> Result) rethrows -> Result {
        let running = startedWall != nil
        stop()
        defer { if running { start() } }
        return try work()
    }

    private func start() {
        startedCPU = Self.now(CLOCK_PROCESS_CPUTIME_ID)
        startedWall = Self.now(CLOCK_MONOTONIC_RAW)
    }

    private func stop() {
        guard let started = startedWall else { return }
        wall += Self.now(CLOCK_MONOTONIC_RAW) - started
        cpu += Self.now(CLOCK_PROCESS_CPUTIME_ID) - startedCPU
        startedWall = nil
    }

    /// Returns the nanoseconds of a monotonic clock that cannot be set.
    package static func nanoseconds() -> UInt64 { now(CLOCK_MONOTONIC_RAW) }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
