public import Soups

/// Keeps the translations of Smart SQL texts, so that each text is translated once.
///
/// A cache belongs to one session and is used by one thread at a time. The session calls `removeAll()` whenever a soup
/// changes. A full cache starts over with an empty dictionary.
public final class TranslationCache {
    private struct Key: Hashable {
        var text: ByteKey
        var permissive: Bool
    }

    private let limit: Int
    private var queries: [Key: TranslatedQuery] = [:]

    /// Creates an empty cache.
    ///
    /// - Parameter limit: The largest number of texts that are kept. The last one is always kept.
    public init(limit: Int = 1_024) { self.limit = limit }

    /// The number of texts that are kept.
    public var count: Int { queries.count }

    /// Returns the translation of a text, and translates the text first if it is not in the cache.
    ///
    /// Throws what `TranslatedQuery.init` throws; a failed translation is not kept.
    public func query(
        _ smartSql: String, catalogue: some SoupCatalogue, permissive: Bool = false
    ) throws(Fault) -> TranslatedQuery {
        let key = Key(text: ByteKey(smartSql), permissive: permissive)
        if let query = queries[key] {
            return query
        }
        let query = try TranslatedQuery(smartSql, catalogue: catalogue, permissive: permissive)
        if queries.count >= limit {
            removeAll()
        }
        queries[key] = query
        return query
    }

    /// Removes all translations.
    public func removeAll() { queries = [:] }
}
