public import JSONText
public import Soups

// MARK: - Writing entries
extension SmartStore {
    /// Stores entries, each the JSON text of an object, in one transaction: all of them or none. Returns them as
    /// stored, in the same order.
    ///
    /// ```swift
    /// let text = #"{"name": "Grace", "city": "New York"}"#
    /// let stored = try store.upsert([Array(text.utf8)], into: "contacts", externalIdPath: "name")
    /// ```
    ///
    /// An entry whose `_soupEntryId` exists replaces that entry as a whole; any other is new and gets the next id,
    /// never one that was given before. With an external id path (which needs an index) the entry with the same value
    /// at that path is replaced. `_soupEntryId` and `_soupLastModifiedDate` of the text are overwritten.
    ///
    /// - Throws: `soupNotFound`, `invalidEntry` (with the offset into that entry's text), `pathNotIndexed`,
    ///   `externalIdMissing`, `externalIdNotUnique`, `diskFull`, `busy`, `readOnly`.
    @discardableResult
    public func upsert(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) throws(Fault) -> [[UInt8]] {
        try writing(.upsert) { (session, now) throws(Fault) in
            let writer = try session.writer(of: session.soup(soup), externalIdPath: externalIdPath)
            var stored: [[UInt8]] = []
            stored.reserveCapacity(entries.count)
            for entry in entries {
                stored.append(try writer.upsert(entry, externalIdPath: externalIdPath, at: now))
            }
            return Reported(stored, rows: stored.count)
        }
    }

    /// Stores entries as `upsert(_:into:externalIdPath:)` does, and returns their ids only, in the same order.
    ///
    /// ```swift
    /// let ids = try store.upsertIds([Array(#"{"name": "Grace"}"#.utf8)], into: "contacts")
    /// ```
    ///
    /// Faster than the form that returns entries, because these are not copied; `soup bench --filter store-over-floor`
    /// measures both.
    ///
    /// - Throws: as that form.
    @discardableResult
    public func upsertIds(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) throws(Fault) -> [Int64] {
        try writing(.upsert) { (session, now) throws(Fault) in
            let writer = try session.writer(of: session.soup(soup), externalIdPath: externalIdPath)
            var ids: [Int64] = []
            ids.reserveCapacity(entries.count)
            for entry in entries {
                let id = try entry.lend { (text) throws(Fault) in
                    try writer.store(text, externalIdPath: externalIdPath, at: now)
                }
                ids.append(id)
            }
            return Reported(ids, rows: ids.count)
        }
    }

    /// Stores the entries of a JSON array, given as its text. Offsets of faults count in that text.
    ///
    /// - Throws: as `upsert` of entries; also `invalidEntry` if the text is not an array.
    @discardableResult
    public func upsert(array text: [UInt8], into soup: String, externalIdPath: String? = nil) throws(Fault) -> [[UInt8]]
    {
        try writing(.upsert) { (session, now) throws(Fault) in
            let writer = try session.writer(of: session.soup(soup), externalIdPath: externalIdPath)
            var stored: [[UInt8]] = []
            for range in try EntryArray.ranges(in: text) {
                do throws(Fault) {
                    stored.append(try writer.upsert(text[range], externalIdPath: externalIdPath, at: now))
                } catch {
                    throw error.shifted(by: range.lowerBound)
                }
            }
            return Reported(stored, rows: stored.count)
        }
    }

    /// Stores entries given as JSON values, for convenience: each is written as text first.
    ///
    /// - Returns: The entries as they are stored, with their system fields.
    /// - Throws: what storing them as texts throws.
    @discardableResult
    public func upsert(
        _ entries: [JSONValue], into soup: String, externalIdPath: String? = nil
    ) throws(Fault) -> [JSONValue] {
        try upsert(entries.map { $0.bytes() }, into: soup, externalIdPath: externalIdPath).map { bytes throws(Fault) in
            try EntryArray.value(of: bytes)
        }
    }

    /// Removes the entries of these ids in one transaction, with their rows in all indexes; unknown ids are ignored.
    /// O(n) in the number of ids.
    ///
    /// - Throws: `soupNotFound`, `diskFull`, `busy`, `readOnly`.
    public func remove(ids: [Int64], from soup: String) throws(Fault) {
        try writing(.remove) { (session, _) throws(Fault) in
            let removed = try EntryRemoval(soup: session.soup(soup), session: session).remove(ids)
            return Reported((), rows: removed)
        }
    }
}

// MARK: - Reading entries
extension SmartStore {
    /// Reads the entries of these ids as JSON texts, in the given order: unknown ids are left out, and an id that is
    /// given twice gives its entry once.
    ///
    /// All of them are read in one transaction, which is faster than one call for each.
    ///
    /// - Throws: `soupNotFound`, `busy`; `corrupt` if the file of an external entry is missing or damaged.
    public func retrieve(ids: [Int64], from soup: String) throws(Fault) -> [[UInt8]] {
        try retrying { (session) throws(Fault) in
            try session.observe(.retrieve) { () throws(Fault) in
                let entries = try session.retrieve(ids, from: soup)
                return Reported(entries, rows: entries.count)
            }
        }
    }

    /// Reads the entry of one id as JSON text; `nil` if the soup has no entry with this id.
    ///
    /// The fastest way to one entry: a single statement without a transaction. `soup bench --filter floor-retrieve`
    /// measures it against direct calls of SQLite.
    ///
    /// - Throws: as `retrieve` of several ids.
    public func retrieve(id: Int64, from soup: String) throws(Fault) -> [UInt8]? {
        try retrying { (session) throws(Fault) in
            try session.observe(.retrieve) { () throws(Fault) in
                let entry = try session.retrieve(id, from: soup)
                return Reported(entry, rows: entry == nil ? 0 : 1)
            }
        }
    }

    /// Finds the id of the entry with this value at an indexed path (the smallest id, if there are several); `.null`
    /// finds an entry without a value.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`.
    public func lookupEntryId(inSoup name: String, path: String, value: SQLValue) throws(Fault) -> Int64? {
        try reading(.lookup) { (session) throws(Fault) in
            let soup = try session.soup(name)
            guard let spec = soup.indexSpec(for: path) else {
                throw Fault(.pathNotIndexed, "the soup has no index on this path", context: [.soup(name), .path(path)])
            }
            return try EntryLookup.ids(
                where: spec, equals: value, in: soup, session: session, limit: 1)
        }.first
    }
}
