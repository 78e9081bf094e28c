/// Names the steps of an alteration in their order. The raw value is what the status row holds: the last completed
/// step.
///
/// Source: the reference, `AlterSoupLongOperation` on Android.
public enum AlterationStep: String, Sendable, CaseIterable {
    case starting = "STARTING"
    case renameOldSoupTable = "RENAME_OLD_SOUP_TABLE"
    case dropOldIndexes = "DROP_OLD_INDEXES"
    case registerSoupUsingTableName = "REGISTER_SOUP_USING_TABLE_NAME"
    case copyTable = "COPY_TABLE"
    case reIndexSoup = "RE_INDEX_SOUP"
    case dropOldTable = "DROP_OLD_TABLE"

    /// Whether this step is the given one or comes after it.
    func isAtLeast(_ step: AlterationStep) -> Bool {
        let order = Self.allCases
        return (order.firstIndex(of: self) ?? 0) >= (order.firstIndex(of: step) ?? 0)
    }

    /// The step that follows; nil after the last. Re-indexing is skipped unless it was asked for.
    func next(reIndexData: Bool) -> AlterationStep? {
        switch self {
        case .starting: .renameOldSoupTable
        case .renameOldSoupTable: .dropOldIndexes
        case .dropOldIndexes: .registerSoupUsingTableName
        case .registerSoupUsingTableName: .copyTable
        case .copyTable: reIndexData ? .reIndexSoup : .dropOldTable
        case .reIndexSoup: .dropOldTable
        case .dropOldTable: nil
        }
    }
}

/// Says how far an alteration has come.
public struct AlterationProgress: Sendable {
    public let step: AlterationStep
    /// The number of entries done in this step and the number of all entries; both are 0 in steps that do not go
    /// through entries.
    public let entriesDone: Int
    public let entriesTotal: Int
}
