public import JSONText
import OfflineStore
import Soups

/// Where a sync down gets its records from. A value that does not change: what a run remembers belongs to its pages.
///
/// The targets of this package come from their JSON, whose members ``TargetRegistry`` lists. An app adds its own there
/// under a name: it answers pages, and the engine saves them, makes the stamp, reports progress, and stops when it is
/// asked to.
///
/// What a target throws ends the run: a `Fault` with its code, any other error with `customTarget`. Methods that are
/// given no page run outside any transaction; ``dirtyIds(_:of:)`` and ``save(_:_:)`` inside the one of the page, on a
/// thread of the store.
public protocol DownTarget: Sendable {
    /// The member with the id of a record.
    var idField: String { get }
    /// The member with the date of a record's last modification.
    var modificationField: String { get }
    /// Whether the records come in ascending order of that date, so that the stamp can rise with each page.
    var isOrderedByModification: Bool { get }
    /// Whether a run replaces all clean rows of the soup at once, with the whole set of records.
    var replacesAll: Bool { get }
    /// The definition, as it is stored with a sync. It must hold what creates the target again.
    var json: JSONObject { get }

    /// Asks for the first page.
    ///
    /// Only records that were modified after the bound are wanted, in milliseconds since 1970: all of them if it is 0
    /// or less, or if the service cannot tell. Nil means that there are no records.
    func start(_ context: DownContext, since bound: Int64) async throws -> DownPage?
    /// Asks for the page after one; `nil` if that was the last page. Not called after a page that is the last one.
    func next(_ context: DownContext, after page: DownPage) async throws -> DownPage?
    /// Gives the ids of all records that the service has, in any number of pieces. What is missing is a ghost.
    func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws
    /// The records of a page whose rows have local changes.
    func dirtyIds(_ context: DownContext, of page: DownPage) throws -> Set<RecordId>
    /// Saves the records of a page, except those in `left`.
    func save(_ page: DownPage, _ context: DownContext) throws
    /// Checks that the soups of a run exist and have the indexes that it needs.
    func checkSoups(_ check: SoupCheck, mergeMode: SyncMergeMode) throws
}

extension DownTarget {
    /// `Id`.
    public var idField: String { "Id" }
    /// `LastModifiedDate`.
    public var modificationField: String { "LastModifiedDate" }
    /// False.
    public var isOrderedByModification: Bool { false }
    /// False.
    public var replacesAll: Bool { false }

    /// Throws `unsupported`: the target cannot clean ghosts.
    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        throw Fault(.unsupported, "this target cannot list the ids of its records; ghosts are not cleaned")
    }

    /// Looks up the ids of the page in the soup.
    public func dirtyIds(_ context: DownContext, of page: DownPage) throws -> Set<RecordId> {
        try PageSaver(context, idField: idField).dirtyIds(of: page)
    }

    /// Saves the records in the soup: as they came, without reserved members, clean, with the id of the sync.
    public func save(_ page: DownPage, _ context: DownContext) throws {
        try PageSaver(context, idField: idField).save(page)
    }

    /// Checks the soup of the sync.
    public func checkSoups(_ check: SoupCheck, mergeMode: SyncMergeMode) throws {
        try check.requireIndex(idField)
        if mergeMode == .leaveIfChanged || replacesAll {
            try check.requireFlagIndex()
        }
    }
}
