public import JSONText

/// A record as a cached remote gives it.
public struct CachedRecord: Sendable {
    /// The record, with its flags where it is from the cache; `nil` if the cache has no record with this key.
    public let record: JSONObject?
    /// Whether the record was read from the cache and the service was not asked.
    public let isFromCache: Bool
}
