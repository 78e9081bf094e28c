/// Says whether an operation on a record goes to the cache, to the service, or to both.
public enum CacheMode: String, Sendable, Hashable, CaseIterable {
    /// The cache alone: changes are marked, and sent later.
    case cacheOnly = "cache-only"
    /// The service alone: the cache stays as it is.
    case serverOnly = "server-only"
    /// A read asks the cache, and the service for what the cache lacks. Only for reads.
    case cacheFirst = "cache-first"
    /// The service, and then the cache.
    case serverFirst = "server-first"
}
