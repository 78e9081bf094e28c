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
    /// A run ended.
    case finished(sync: Int64, status: SyncStatus, code: Fault.Code?)
}
