/// The names of the fields that differ between the three versions of a record, in the order of the merge's fields.
public struct MergeChanges: Sendable, Hashable {
    /// The fields that changed on the server since the common version.
    public var remote: [String] = []
    /// The fields that changed locally since the common version.
    public var local: [String] = []
    /// The fields that changed on both sides, to different values.
    public var conflicting: [String] = []

    /// No changes.
    public init() {}
}
