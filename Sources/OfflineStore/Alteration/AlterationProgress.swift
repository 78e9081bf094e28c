/// Says how far an alteration has come.
public struct AlterationProgress: Sendable {
    /// The step that is being worked on.
    public let step: AlterationStep
    /// The number of entries done in this step; 0 if it does not go through entries.
    public let entriesDone: Int
    /// The number of all entries that the step goes through; 0 if it does not go through entries.
    public let entriesTotal: Int
}
