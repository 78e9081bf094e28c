import JSONText
public import OfflineStore
public import Soups

/// Keeps the creations that are under way or whose answer was lost, in the soup `sync_outbox` of their store.
///
/// ```swift
/// let outbox = Outbox(store)
/// for doubt in try outbox.doubts(inSoup: "contacts") {
///     // The user has looked: the service has no such record.
///     try outbox.resolve(soup: "contacts", entryId: doubt.entryId, .wasNotCreated)
/// }
/// ```
///
/// A row that has an outbox row must not be sent again until it is decided whether the service has created its record.
/// Outbox rows of a soup that was removed do not count, also where another soup has its name.
/// Each call is one transaction of the store, or part of the caller's. Calls may come from any thread.
public struct Outbox: Sendable {
    /// The store of the soup.
    public let store: SmartStore
    let rows: SoupRows

    /// The name of the soup.
    public static let soupName = "sync_outbox"

    /// Names the outbox of a store. Nothing is read or written yet.
    public init(_ store: SmartStore) {
        self.store = store
        rows = SoupRows(store, soup: Self.soupName)
    }

    /// Keeps rows before they are sent, one for each row of a soup: a former one is replaced. Creates the soup if
    /// necessary.
    ///
    /// - Throws: as `registerSoup` and `upsert` of the store.
    public func keep(_ sent: [OutboxRow]) throws(Fault) {
        guard !sent.isEmpty else { return }
        try store.atomically { () throws(Fault) in
            try register()
            for row in sent {
                var json = try SoupIdentity(store, soup: row.soupName).marked(row.json)
                if let former = try stored(soup: row.soupName, entryId: row.entryId)?.entryId {
                    json["_soupEntryId"] = .number(JSONNumber(former))
                }
                _ = try rows.write(json)
            }
        }
    }

    func register() throws(Fault) {
        try store.registerSoup(
            Self.soupName, indexSpecs: [.string("soupName"), .integer("entryId"), .integer("syncId")])
    }

    /// Returns what was sent of a row and is not decided; `nil` if nothing of it is in doubt.
    ///
    /// - Throws: faults of the store.
    public func row(soup: String, entryId: Int64) throws(Fault) -> OutboxRow? {
        try stored(soup: soup, entryId: entryId).flatMap(OutboxRow.init(stored:))
    }

    /// Returns the creations of a soup that are not decided, in the order of their entry ids.
    ///
    /// - Throws: faults of the store.
    public func doubts(inSoup soup: String) throws(Fault) -> [OutboxRow] {
        guard try store.soupExists(Self.soupName) else {
            return []
        }
        let identity = try SoupIdentity(store, soup: soup)
        return try rows.rows(where: "soupName", is: .text(soup)).filter { !identity.isFormer($0) }
            .compactMap(OutboxRow.init(stored:)).sorted { $0.entryId < $1.entryId }
    }

    /// Forgets what was sent of a row.
    ///
    /// - Returns: Whether something of the row was in doubt.
    /// - Throws: `diskFull`, `busy`, `readOnly`, `closed`.
    @discardableResult
    public func remove(soup: String, entryId: Int64) throws(Fault) -> Bool {
        try store.atomically { () throws(Fault) in
            guard let row = try stored(soup: soup, entryId: entryId)?.entryId else { return false }
            try store.remove(ids: [row], from: Self.soupName)
            return true
        }
    }

    /// Forgets what was sent of rows and soups that no longer exist.
    ///
    /// - Returns: The number of outbox rows removed.
    /// - Throws: `diskFull`, `busy`, `readOnly`, `closed`.
    @discardableResult
    public func removeOrphans() throws(Fault) -> Int {
        try store.atomically { () throws(Fault) in
            guard try store.soupExists(Self.soupName) else { return 0 }
            var removed = 0
            var last: Int64 = 0
            while true {
                let page = try store.rows(
                    "SELECT {sync_outbox:_soup} FROM {sync_outbox} WHERE {sync_outbox:_soupEntryId} > ? ORDER BY {sync_outbox:_soupEntryId}",
                    arguments: [.integer(last)], limit: 200)
                guard !page.isEmpty else {
                    return removed
                }
                var orphans: [Int64] = []
                for cells in page {
                    guard case .entry(let bytes)? = cells.first else { continue }
                    let row = try SoupRows.object(of: bytes)
                    last = row.entryId ?? .max
                    if try isOrphan(row) {
                        orphans.append(last)
                    }
                }
                try store.remove(ids: orphans, from: Self.soupName)
                removed += orphans.count
            }
        }
    }

    /// Whether a stored row is about an entry that no longer exists.
    func isOrphan(_ row: JSONObject) throws(Fault) -> Bool {
        guard let sent = OutboxRow(stored: row), try store.soupExists(sent.soupName) else { return true }
        if try SoupIdentity(store, soup: sent.soupName).isFormer(row) {
            return true
        }
        return try store.retrieve(id: sent.entryId, from: sent.soupName) == nil
    }

    /// The stored row about an entry of the present soup; nil if nothing is noted.
    private func stored(soup: String, entryId: Int64) throws(Fault) -> JSONObject? {
        guard try store.soupExists(Self.soupName) else { return nil }
        let identity = try SoupIdentity(store, soup: soup)
        return try rows.rows(where: "entryId", is: .integer(entryId)).first {
            $0["soupName"]?.string.map { ByteKey($0) } == ByteKey(soup) && !identity.isFormer($0)
        }
    }
}
