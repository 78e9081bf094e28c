public import Soups

/// What a sync manager tells its observer. No event holds a field's value, a query, a header or a token.
public enum SyncEvent: Sendable {
    /// A run or a ghost cleaning was queued.
    case queued(sync: Int64)
    /// A run began.
    case started(sync: Int64)
    /// A request was answered. Bytes are those of the bodies.
    case request(method: String, path: String, status: Int, bytesOut: Int, bytesIn: Int, nanoseconds: Int64)
    /// A page was saved.
    case page(sync: Int64, records: Int, saved: Int, skipped: Int, stamp: Int64)
    /// Records of a page have no date of modification that can be read.
    case unreadableDates(sync: Int64, count: Int)
    /// Ghosts were removed.
    case ghostsRemoved(sync: Int64, count: Int)
    /// A row of `syncs_soup` is malformed and was passed over.
    case malformedSync(sync: Int64, key: String?)
    /// The index of `__local__` of a soup has 1 and 0 for true and false. Call `reIndexSoup` with that path.
    case legacyBooleans(soup: String)
    /// The outcomes of one answer to a sync up were saved.
    case batch(
        sync: Int64, creates: Int, updates: Int, upserts: Int, deletes: Int, succeeded: Int, refused: Int, left: Int,
        held: Int)
    /// The service refused a record; with its error code, if that is a short word of capitals.
    case recordRefused(soup: String, entryId: Int64, code: String?)
    /// A row was left as it is, because its record is newer on the service, or for another reason.
    case recordLeft(soup: String, entryId: Int64, reason: LeaveReason)
    /// A row was not sent because it is in doubt whether its record was created.
    case recordHeld(soup: String, entryId: Int64)
    /// A row was edited while its record was being sent. It stays to be sent.
    case editedMeanwhile(soup: String, entryId: Int64)
    /// A row was removed while its record was being sent; with the id of the record on the service.
    case removedMeanwhile(soup: String, entryId: Int64, id: String?)
    /// A record got its id on the service. References to the old one in other soups stay as they are.
    case idReplaced(soup: String, old: String, new: String)
    /// A creation that was in doubt was forgotten, because the app has removed its row. The record may exist on the
    /// service.
    case doubtForgotten(soup: String, entryId: Int64)
    /// A changed child was not sent because the soup of its parents has no row with its parent's id.
    case childWithoutParent(soup: String, entryId: Int64)
    /// A run ended.
    case finished(sync: Int64, status: SyncStatus, code: Fault.Code?)
}
