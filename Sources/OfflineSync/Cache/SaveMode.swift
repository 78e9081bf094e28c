/// What saving a record does with the one that the cache has under the same key.
public enum SaveMode: String, Sendable, Hashable, CaseIterable {
    /// The cached record is replaced as a whole.
    case overwrite = "OVERWRITE"
    /// Members of the cached record that the new one lacks are kept; members of both are the new one's.
    case mergeAcceptTheirs = "MERGE_ACCEPT_THEIRS"
    /// A cached record that was changed locally stays as it is; any other is replaced as a whole.
    case leaveIfChanged = "LEAVE_IF_CHANGED"
}
