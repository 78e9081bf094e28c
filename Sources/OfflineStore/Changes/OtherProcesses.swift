/// Says whether commits of other processes are watched too.
public enum OtherProcesses: Sendable, Hashable {
    /// Only this process is watched.
    case ignored
    /// A commit of another process is reported within this time, at least 20 ms, plus the length of a write of this
    /// store that is under way. 250 ms suits most apps: each question costs a few microseconds.
    case within(Duration)

    /// The time between two questions; nil where none are asked.
    var interval: Duration? {
        switch self {
        case .ignored: nil
        case .within(let time): max(time, .milliseconds(20))
        }
    }
}
