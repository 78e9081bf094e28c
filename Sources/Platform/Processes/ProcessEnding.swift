/// How a program ended.
package enum ProcessEnding: Equatable, Sendable {
    case exited(code: Int32)
    case killed(signal: Int32)

    /// Takes what `waitpid` reports.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
