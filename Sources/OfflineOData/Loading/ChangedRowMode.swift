/// What a load does with rows that were changed locally.
public enum ChangedRowMode: String, Sendable, Hashable, CaseIterable {
    /// The row keeps its changes. What arrives is compared with the version that they started from.
    case leave = "LEAVE_IF_CHANGED"
    /// What arrives replaces the row, and its changes are lost.
    case overwrite = "OVERWRITE"
}
