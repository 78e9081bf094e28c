/// Whether a sync manager takes new work.
public enum SyncManagerState: String, Sendable, Hashable, CaseIterable {
    /// Syncs can be run.
    case acceptingSyncs = "accepting_syncs"
    /// It was stopped, and what was under way then has not ended.
    case stopRequested = "stop_requested"
    /// It was stopped, and nothing runs.
    case stopped
}
