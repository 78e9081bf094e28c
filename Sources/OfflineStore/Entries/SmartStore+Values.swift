public import EntryCoding
public import Soups

// MARK: - Swift values
extension SmartStore {
    /// Stores values in one transaction: all of them or none. Returns the ids of their entries, in the same order.
    ///
    /// ```swift
    /// struct Contact: Codable {
    ///     var name: String
    /// }
    /// let ids = try store.upsert(values: [Contact(name: "Grace")], into: "contacts")
    /// let grace = try store.value(Contact.self, id: ids[0], from: "contacts")
    /// ```
    ///
    /// A value that encodes an `_soupEntryId` which exists replaces that entry, others are new; with an external id
    /// path the entry with the same value at that path is replaced. Values are encoded before the transaction begins.
    ///
    /// - Throws: as `upsert` of entries, and what encoding throws.
    @discardableResult
    public func upsert<V: Encodable>(
        values: [V], into soup: String, externalIdPath: String? = nil, coding: CodingOptions = .init()
    ) throws -> [Int64] {
        try store(EncodedValues(values, coding), into: soup, externalIdPath: externalIdPath)
    }

    /// Stores one value and returns the id of its entry.
    ///
    /// - Throws: as the form for several values.
    @discardableResult
    public func upsert<V: Encodable>(
        value: V, into soup: String, externalIdPath: String? = nil, coding: CodingOptions = .init()
    ) throws -> Int64 {
        try store(EncodedValues(CollectionOfOne(value), coding), into: soup, externalIdPath: externalIdPath)[0]
    }

    /// Writes values over the entries that they were read from, in one transaction: all of them or none. Never adds an
    /// entry.
    ///
    /// - Throws: `entryNotFound` if an entry is gone; as `upsert`, and what encoding throws.
    public func update<V: Encodable>(
        _ values: [Identified<V>], in soup: String, coding: CodingOptions = .init()
    ) throws {
        try replace(values.map(\.id), by: EncodedValues(values.lazy.map(\.value), coding), in: soup)
    }

    /// Reads the entry of one id as a value, with its system fields; `nil` if the soup has no entry with this id.
    ///
    /// - Throws: as `retrieve`, and what decoding throws.
    public func value<V: Decodable>(
        _ type: V.Type, id: Int64, from soup: String, coding: CodingOptions = .init()
    ) throws -> Identified<V>? {
        let text: [UInt8]? = try retrieve(id: id, from: soup)
        return try text.map { try ValueReader(coding).value(type, $0) }
    }

    /// Reads the entries of these ids as values, in the given order: unknown ids are left out, and an id that is given
    /// twice gives its value once.
    ///
    /// - Throws: as `retrieve`, and what decoding throws.
    public func values<V: Decodable>(
        _ type: V.Type, ids: [Int64], from soup: String, coding: CodingOptions = .init()
    ) throws -> [Identified<V>] {
        let entries = try reading { (session) throws(Fault) in try StoreReader(session).retrieve(ids: ids, from: soup) }
        return try ValueReader(coding).values(type, entries)
    }

    /// Reads the entries that match a query of any kind but smart as values: at most `limit`, or all. The page size of
    /// the query is not looked at.
    ///
    /// - Throws: as `query`; `invalidQuerySpec` for a query that selects paths; what decoding throws.
    public func values<V: Decodable>(
        _ type: V.Type, _ spec: QuerySpec, in soup: String, limit: Int? = nil, coding: CodingOptions = .init()
    ) throws -> [Identified<V>] {
        let entries = try reading { (session) throws(Fault) in
            try StoreReader(session).entries(spec, in: soup, limit: limit)
        }
        return try ValueReader(coding).values(type, entries)
    }

    /// Reads all rows of a Smart SQL text as values: columns by their names, a column that holds an entry from its
    /// text.
    ///
    /// - Throws: as `rows`, and what decoding throws.
    public func rows<V: Decodable>(
        _ type: V.Type, _ smartSql: String, arguments: [SQLValue] = [], coding: CodingOptions = .init()
    ) throws -> [V] {
        let rows: RowList = try rows(smartSql, arguments: arguments)
        return try RowDecoding(coding).values(type, rows)
    }
}

// MARK: - Writing texts
extension SmartStore {
    func store(_ values: EncodedValues, into soup: String, externalIdPath: String?) throws(Fault) -> [Int64] {
        try writing(.upsert) { (session, now) throws(Fault) in
            let writer = try session.writer(of: session.soup(soup), externalIdPath: externalIdPath)
            let ids = try values.texts.lend { (texts) throws(Fault) in
                var ids: [Int64] = []
                ids.reserveCapacity(values.ranges.count)
                for range in values.ranges {
                    let text = UnsafeRawBufferPointer(rebasing: texts[range])
                    ids.append(try writer.store(text, externalIdPath: externalIdPath, at: now))
                }
                return ids
            }
            return Reported(ids, rows: ids.count)
        }
    }

    func replace(_ ids: [Int64], by values: EncodedValues, in soup: String) throws(Fault) {
        try writing(.upsert) { (session, now) throws(Fault) in
            let writer = try session.writer(of: session.soup(soup))
            try values.texts.lend { (texts) throws(Fault) in
                for (id, range) in zip(ids, values.ranges) {
                    try writer.replace(id, by: UnsafeRawBufferPointer(rebasing: texts[range]), at: now)
                }
            }
            return Reported((), rows: ids.count)
        }
    }
}
