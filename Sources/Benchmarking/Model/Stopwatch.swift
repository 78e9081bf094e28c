import Platform

/// Adds up elapsed and processor time, with pauses for parts of the work that must not be measured, such as making the
/// next batch.
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

    /// Runs a part of the measured work with the clock stopped.
    package func pause<Result>(_ work: () throws -> Result) rethrows -> Result {
        let running = startedWall != nil
        stop()
        defer { if running { start() } }
        return try work()
    }

    private func start() {
        startedCPU = SystemClock.processorNanoseconds
        startedWall = SystemClock.monotonicNanoseconds
    }

    private func stop() {
        guard let started = startedWall else { return }
        wall += SystemClock.monotonicNanoseconds - started
        cpu += SystemClock.processorNanoseconds - startedCPU
        startedWall = nil
    }

    /// Returns the nanoseconds of a monotonic clock that cannot be set.
    package static func nanoseconds() -> UInt64 { SystemClock.monotonicNanoseconds }
}
