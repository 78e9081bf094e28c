/// Says how far an alteration has come.
public struct AlterationProgress: Sendable {
    /// The step that is being worked on.
    public let step: AlterationStep
    /// The number of entries done in this step and the number of all entries; both are 0 in steps that do not go
    /// through entries.
    public let entriesDone: Int
    /// The number of all entries that the step goes through; 0 if it does not go through entries.
    public let entriesTotal: Int
}
