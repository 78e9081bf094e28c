public import JSONText

/// Why a merge failed: the three versions of the record, and what changed where. Nothing was sent or stored.
public struct ConflictReport: Sendable {
    /// The version that both sides started from.
    public let base: JSONObject
    /// The version of the server; nil if the record is gone there.
    public let theirs: JSONObject?
    /// The local version.
    public let yours: JSONObject
    /// The fields that differ.
    public let changes: MergeChanges
}
