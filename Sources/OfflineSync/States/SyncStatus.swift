/// The direction of a sync.
public enum SyncType: String, Sendable, Hashable, CaseIterable {
    /// Records of the service are saved in a soup.
    case down = "syncDown"
    /// Rows that were changed locally are sent to the service.
    case up = "syncUp"
}

/// What became of a sync so far.
public enum SyncStatus: String, Sendable, Hashable, CaseIterable {
    /// It was created and has not run.
    case new = "NEW"
    /// It runs or waits for its turn.
    case running = "RUNNING"
    /// Its last run was stopped or cut off. What that run saved is kept.
    case stopped = "STOPPED"
    /// Its last run came to its end.
    case done = "DONE"
    /// Its last run failed. What that run saved is kept.
    case failed = "FAILED"
}

/// What a sync does with changes of the other side.
public enum SyncMergeMode: String, Sendable, Hashable, CaseIterable {
    /// Down: the record of the service replaces the row, also one that was changed locally. Up: a change is sent
    /// without looking.
    case overwrite = "OVERWRITE"
    /// Down: rows that were changed locally stay as they are. Up: a change is sent only if the record of the service is
    /// not newer.
    case leaveIfChanged = "LEAVE_IF_CHANGED"
}
