public import JSONText

/// The result of a merge.
public enum MergeOutcome: Sendable {
    /// The record to send and to store, and what had changed.
    case merged(JSONObject, MergeChanges)
    /// The mode does not allow to merge these versions.
    case conflict(ConflictReport)
}
