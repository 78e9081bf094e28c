/// What an `ODataClient` reports while it works.
public enum ODataClientEvent: Sendable {
    /// A request was answered.
    case request(method: String, path: String, status: Int, bytesOut: Int, bytesIn: Int)
    /// A page was saved.
    case page(set: String, entities: Int, changed: Int)
    /// A row was changed here and on the service, and both versions are kept.
    case conflict(set: String, entryId: Int64)
    /// A row is held because the answer to its insert was lost.
    case held(set: String, entryId: Int64)
    /// The service refused a change.
    case refused(set: String, entryId: Int64, status: Int)
    /// Several entities of the service pair with one row; the one with the smallest key was taken.
    case ambiguous(set: String, entryId: Int64)
}
