public import Soups
import Synchronization

/// Keeps translations by the bytes of their texts, so that a text is read once; the least recently used gives way.
///
/// Safe from any thread. Whoever changes or removes a soup calls `remove(soup:)` after the change is committed. Source:
/// SQL-60, BUG-15.
public final class TranslationCache: Sendable {
    public static let defaultLimit = 1024

    /// One text in the order of use, linked to its neighbours by place.
    fileprivate struct Slot {
        var key: Key
        var query: TranslatedQuery
        var newer: Int?
        var older: Int?
    }

    fileprivate struct Key: Hashable {
        var text: ByteKey
        var permissive: Bool
    }

    fileprivate struct State {
        var places: [Key: Int] = [:]
        var slots: [Slot?] = []
        var free: [Int] = []
        var newest: Int?
        var oldest: Int?
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: How many texts are kept, 1 or more.
    public init(limit: Int = defaultLimit) { self.limit = max(1, limit) }

    public var count: Int { state.withLock { $0.places.count } }

    /// Gives the translation of a text, made now if it is not kept. One that fails is not kept.
    /// - Throws: what `TranslatedQuery.init` throws.
    public func query(
        _ smartSql: String, catalogue: some SoupCatalogue, permissive: Bool = false
    ) throws(Fault) -> TranslatedQuery {
        let key = Key(text: ByteKey(smartSql), permissive: permissive)
        if let kept = state.withLock({ $0.take(key) }) {
            return kept
        }
        let query = try TranslatedQuery(smartSql, catalogue: catalogue, permissive: permissive)
        state.withLock { $0.keep(key, query, limit: limit) }
        return query
    }

    /// Forgets every text that names the soup. Linear in the number of texts kept.
    public func remove(soup name: String) {
        let name = ByteKey(name)
        state.withLock { state in
            for (key, place) in state.places
            where state.slots[place]?.query.soupNames.contains(where: { ByteKey($0) == name }) ?? false {
                state.remove(key, at: place)
            }
        }
    }

    public func removeAll() { state.withLock { $0 = State() } }
}

extension TranslationCache.State {
    fileprivate mutating func take(_ key: TranslationCache.Key) -> TranslatedQuery? {
        guard let place = places[key], let slot = slots[place] else { return nil }
        if place != newest {
            unlink(place)
            link(place)
        }
        return slot.query
    }

    fileprivate mutating func keep(_ key: TranslationCache.Key, _ query: TranslatedQuery, limit: Int) {
        if let place = places[key] {
            remove(key, at: place)
        }
        if places.count >= limit, let oldest, let key = slots[oldest]?.key {
            remove(key, at: oldest)
        }
        let slot = TranslationCache.Slot(key: key, query: query)
        if let place = free.popLast() {
            slots[place] = slot
            places[key] = place
        } else {
            slots.append(slot)
            places[key] = slots.count - 1
        }
        if let place = places[key] {
            link(place)
        }
    }

    fileprivate mutating func remove(_ key: TranslationCache.Key, at place: Int) {
        unlink(place)
        places[key] = nil
        slots[place] = nil
        free.append(place)
    }

    private mutating func link(_ place: Int) {
        slots[place]?.older = newest
        slots[place]?.newer = nil
        if let newest {
            slots[newest]?.newer = place
        } else {
            oldest = place
        }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        guard let slot = slots[place] else { return }
        if let newer = slot.newer {
            slots[newer]?.older = slot.older
        } else {
            newest = slot.older
        }
        if let older = slot.older {
            slots[older]?.newer = slot.newer
        } else {
            oldest = slot.newer
        }
    }
}
