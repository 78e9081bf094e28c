import Platform

/// Waits between two looks, so that the second one sees another stretch of the machine's time.
///
/// Noise that lasts for seconds or minutes (another program, a processor that was throttled) would otherwise be in the
/// last pairs of the first look and in the first ones of the second, which then confirm each other.
package enum Recess {
    /// A quarter of what the first look took, at most a minute (seconds).
    package static func seconds(after firstLook: Double) -> Double { min(max(0, firstLook) / 4, 60) }

    /// Returns when the time is over, or the program is asked to end.
    package static func take(_ seconds: Double) {
        let end = ContinuousClock.now + .seconds(seconds)
        while !Interruption.isRequested, case let left = end - .now, left > .zero {
            CurrentThread.sleep(min(left, .milliseconds(200)))
        }
    }
}
