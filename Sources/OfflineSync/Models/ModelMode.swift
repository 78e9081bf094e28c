public import Soups

/// Where a metadata or layout manager looks.
public enum ModelMode: String, Sendable, Hashable, CaseIterable {
    /// Only in the soup.
    case cacheOnly = "CACHE_ONLY"
    /// In the soup; the service is asked if it is not there.
    case cacheFirst = "CACHE_FIRST"
    /// The service; if that fails, in the soup.
    case serverFirst = "SERVER_FIRST"
}

/// What a metadata or layout manager found, and where.
public struct FetchedModel<Model: Sendable>: Sendable {
    /// Where it was found.
    public enum Source: String, Sendable, Hashable {
        /// The soup.
        case cache
        /// The service.
        case server
    }

    /// What was found; nil if the soup has nothing and the service was not asked.
    public let model: Model?
    /// Where it was found.
    public let source: Source
    /// Why the service did not answer, where the soup answers for it.
    public let failure: Fault?
}
