import Libc
import Synchronization

/// Remembers that somebody pressed Ctrl-C or asked the program to end, so that a run can stop between two steps and
/// clean up.
package enum Interruption {
    private static let requested = Atomic<Bool>(false)

    package static var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Takes SIGINT and SIGTERM from now on. A second signal ends the program at once.
    package static func watch() {
        // A program that was started from a thread which holds signals back holds them back too, and could be ended by
        // nothing but a kill.
        var taken = sigset_t()
        sigemptyset(&taken)
        sigaddset(&taken, SIGINT)
        sigaddset(&taken, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &taken, nil)
        for number in [SIGINT, SIGTERM] {
            var action = sigaction()
            #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
            #else
            action.__sigaction_handler.sa_handler = handler
            #endif
            // No SA_RESTART: a read that waits for a worker is to end.
            sigaction(number, &action, nil)
        }
    }

    /// Only what a signal handler may do: an atomic store, and the default action next time.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        Interruption.requested.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
    }
}
