/// What a merge does when the record changed on the server too.
public enum MergeMode: String, Sendable, Hashable, CaseIterable {
    /// The local record is taken as it is, and nothing is compared.
    case overwrite
    /// Never fails: a field that changed on both sides keeps the local value.
    case acceptYours = "merge-accept-yours"
    /// Fails if a field changed on both sides, to different values.
    case failIfConflict = "merge-fail-if-conflict"
    /// Fails if any field changed on the server.
    case failIfChanged = "merge-fail-if-changed"
}
