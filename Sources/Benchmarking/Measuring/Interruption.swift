import Libc
import Platform
import Synchronization

/// Remembers that Ctrl-C was pressed, or the program was asked to end, so that a run can stop between two steps and
/// clean up.
package enum Interruption {
    private static let requested = Atomic<Bool>(false)

    package static var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Takes the ending signals from now on. A second signal ends the program at once.
    package static func watch() { EndingSignal.take(handler) }

    /// Only what a signal handler may do: an atomic store, and restoring the default action.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        Interruption.requested.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
    }
}
