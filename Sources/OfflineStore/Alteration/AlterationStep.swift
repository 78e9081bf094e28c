/// Names the steps of an alteration in their order. The raw value is what the status row holds: the last completed
/// step.
///
/// Source: the reference, `AlterSoupLongOperation` on Android.
public enum AlterationStep: String, Sendable, CaseIterable {
    /// The alteration is recorded; the soup is not changed yet.
    case starting = "STARTING"
    /// The old table has another name, from which its entries are copied.
    case renameOldSoupTable = "RENAME_OLD_SOUP_TABLE"
    /// The indexes of the old table are dropped, so that the new ones can have their names.
    case dropOldIndexes = "DROP_OLD_INDEXES"
    /// The new table and its indexes exist, and the soup has its new specs.
    case registerSoupUsingTableName = "REGISTER_SOUP_USING_TABLE_NAME"
    /// The entries are copied, with the columns of kept paths.
    case copyTable = "COPY_TABLE"
    /// The columns of new paths are filled from the entries. Skipped unless re-indexing was asked for.
    case reIndexSoup = "RE_INDEX_SOUP"
    /// The old table is dropped: the alteration is complete.
    case dropOldTable = "DROP_OLD_TABLE"

    /// Whether this step is the given one or comes after it.
    func isAtLeast(_ step: AlterationStep) -> Bool { Self.allCases.drop { $0 != step }.contains(self) }

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
