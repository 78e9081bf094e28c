import Libc

/// The signals that ask a program to end: Ctrl-C, SIGTERM, and a terminal that was closed.
package enum EndingSignal {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Has them handled from now on. The handler must restore the default action, so that a second signal ends the
    /// program at once. A SIGHUP that is ignored, as under `nohup`, stays ignored.
    package static func take(_ handler: @escaping @convention(c) (Int32) -> Void) {
        for number in numbers {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0, number != SIGHUP || !isIgnored(action) else { continue }
            // No SA_RESTART: a read that waits for another process has to end.
            action = sigaction()
            #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
            #elseif canImport(Musl)
            action.__sa_handler.sa_handler = handler
            #elseif canImport(Android)
            action.sa_handler = handler
            #else
            action.__sigaction_handler.sa_handler = handler
            #endif
            sigaction(number, &action, nil)
            // A program that was started by a thread which blocks signals blocks them too, and nothing but a kill would
            // end it.
            var taken = sigset_t()
            sigemptyset(&taken)
            sigaddset(&taken, number)
            pthread_sigmask(SIG_UNBLOCK, &taken, nil)
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)
        #if canImport(Darwin)
        return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == ignoring
        #elseif canImport(Musl)
        return unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self) == ignoring
        #elseif canImport(Android)
        return unsafeBitCast(action.sa_handler, to: Int.self) == ignoring
        #else
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
        #endif
    }
}
