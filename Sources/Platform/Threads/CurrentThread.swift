import Libc

/// The thread that calls.
package enum CurrentThread {
    /// Blocks the thread so long, or until a signal comes.
    package static func sleep(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
