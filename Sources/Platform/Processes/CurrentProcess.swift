import Libc

/// This process.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    /// The value of a variable of the environment; nil if it is unset or empty.
    package static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Makes writing to a pipe that is closed on the other side an error, instead of a signal that ends this process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Ends this process with a code.
    package static func exit(_ code: Int32) -> Never { Libc.exit(code) }
}
