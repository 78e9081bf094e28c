/// How a load or a push ended.
public enum RunStatus: String, Sendable, Hashable, CaseIterable {
    /// It runs, or its process ended before it did.
    case running = "RUNNING"
    /// Everything is there.
    case done = "DONE"
    /// It was cancelled between two requests.
    case stopped = "STOPPED"
    /// It failed; what was saved stays.
    case failed = "FAILED"
}
