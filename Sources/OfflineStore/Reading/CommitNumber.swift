/// Names the state of a store that a read has seen, so that a later transaction can tell whether soups were changed
/// since.
///
/// It belongs to the store object that gave it, and means nothing after the process has ended.
public struct CommitNumber: Sendable, Hashable {
    /// The store object that gave the number.
    let owner: UInt64
    /// The number of the last commit of that object.
    let commit: UInt64
    /// How often something else may have changed the store.
    let epoch: UInt64

    /// A number since which everything may have changed.
    static let unknown = CommitNumber(owner: 0, commit: 0, epoch: 0)
}
