public import EntryCoding
public import Soups

/// Offers what can be done inside `SmartStore.transaction(_:)`: reads that see what was written, and writes, each of
/// which is undone alone if it throws.
///
/// ```swift
/// try store.transaction { transaction in
///     let id = try transaction.upsert(value: order, into: "orders")
///     try transaction.upsert(values: items.map { $0.belonging(to: id) }, into: "items")
/// }
/// ```
///
/// It is lent to the work and cannot leave it; functions that help with the work take it as
/// `borrowing StoreTransaction`.
public struct StoreTransaction: ~Copyable {
    let store: SmartStore
    let reader: StoreReader

    init(store: SmartStore, session: StoreSession) {
        self.store = store
        reader = StoreReader(session)
    }

    /// Lends what reads, for functions that were written for `SmartStore.read(_:)`.
    public func reading<R>(_ body: (borrowing StoreReader) throws -> R) rethrows -> R { try body(reader) }

    /// Throws `conflict` if one of the soups may have been changed since a state was read: for an app that reads, asks a
    /// service, and writes only if nothing has changed in between.
    ///
    /// The article on threads and transactions has an example.
    ///
    /// A commit of this store object counts if it changed one of the soups, or altered, removed or registered it. Of other
    /// store objects and processes only "something was committed" is known: that counts for every soup, and so does a
    /// store that was closed, given another key or suspended since. What this transaction has written itself does not
    /// count. After a conflict, read again: the new number knows what came in between.
    ///
    /// Costs one `PRAGMA data_version`, and a look-up for each soup.
    ///
    /// - Parameters:
    ///   - state: From ``StoreReader/commit``. One of another store object is a conflict.
    ///   - soups: The soups that the work depends on.
    /// - Throws: `conflict`; `soupNotFound` for a soup that does not exist and was not removed since.
    public func requireUnchanged(since state: CommitNumber, soups: [String]) throws(Fault) {
        let session = reader.session
        try session.commits.requireUnchanged(since: state, soups: soups, on: session.connection)
        for soup in soups {
            _ = try session.soup(soup)
        }
    }

    // MARK: - Writing

    /// Stores entries as `SmartStore.upsert(_:into:externalIdPath:)` does. Throws as that does.
    @discardableResult
    public func upsert(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) throws(Fault) -> [[UInt8]] {
        try store.upsert(entries, into: soup, externalIdPath: externalIdPath)
    }

    /// Stores entries as `SmartStore.upsertIds(_:into:externalIdPath:)` does. Throws as that does.
    @discardableResult
    public func upsertIds(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) throws(Fault) -> [Int64] {
        try store.upsertIds(entries, into: soup, externalIdPath: externalIdPath)
    }

    /// Stores values and returns the ids of their entries. Throws as the call of the store.
    @discardableResult
    public func upsert<V: Encodable>(
        values: [V], into soup: String, externalIdPath: String? = nil, coding: CodingOptions = .init()
    ) throws -> [Int64] {
        try store.upsert(values: values, into: soup, externalIdPath: externalIdPath, coding: coding)
    }

    /// Stores one value and returns the id of its entry. Throws as the call of the store.
    @discardableResult
    public func upsert<V: Encodable>(
        value: V, into soup: String, externalIdPath: String? = nil, coding: CodingOptions = .init()
    ) throws -> Int64 {
        try store.upsert(value: value, into: soup, externalIdPath: externalIdPath, coding: coding)
    }

    /// Writes values over the entries that they were read from. Throws as the call of the store.
    public func update<V: Encodable>(
        _ values: [Identified<V>], in soup: String, coding: CodingOptions = .init()
    ) throws {
        try store.update(values, in: soup, coding: coding)
    }

    /// Removes the entries of these ids; unknown ones are ignored. Throws as the call of the store.
    public func remove(ids: [Int64], from soup: String) throws(Fault) { try store.remove(ids: ids, from: soup) }

    /// Removes every match of a query, and returns their number. Throws as the call of the store.
    @discardableResult
    public func remove(matching spec: QuerySpec, from soup: String) throws(Fault) -> Int {
        try store.remove(matching: spec, from: soup)
    }

    /// Removes all entries of a soup. Throws `soupNotFound`.
    public func clearSoup(_ name: String) throws(Fault) { try store.clearSoup(name) }

    /// Registers a soup, if there is none of that name. Throws as the call of the store.
    @discardableResult
    public func registerSoup(_ name: String, indexSpecs: [IndexSpec]) throws(Fault) -> String {
        try store.registerSoup(name, indexSpecs: indexSpecs)
    }

    /// Removes a soup with all its entries; does nothing if it does not exist. Throws as the call of the store.
    public func removeSoup(_ name: String) throws(Fault) { try store.removeSoup(name) }

    /// Runs work as a part that is undone alone if it throws.
    @discardableResult
    public func savepoint<R>(_ body: (borrowing StoreTransaction) throws -> R) throws -> R {
        try store.transaction { (transaction: borrowing StoreTransaction) in try body(transaction) }
    }
}

// MARK: - Reading
extension StoreTransaction {
    /// Reads the entry of one id as ``StoreReader/retrieve(id:from:)`` does.
    public func retrieve(id: Int64, from soup: String) throws(Fault) -> [UInt8]? {
        try reader.retrieve(id: id, from: soup)
    }

    /// Reads the entries of these ids as ``StoreReader/retrieve(ids:from:)`` does.
    public func retrieve(ids: [Int64], from soup: String) throws(Fault) -> EntryList {
        try reader.retrieve(ids: ids, from: soup)
    }

    /// Reads the matches of a query as ``StoreReader/entries(_:in:limit:)`` does.
    public func entries(_ spec: QuerySpec, in soup: String, limit: Int? = nil) throws(Fault) -> EntryList {
        try reader.entries(spec, in: soup, limit: limit)
    }

    /// Reads rows as ``StoreReader/rows(_:arguments:)`` does.
    public func rows(_ smartSql: String, arguments: [SQLValue] = []) throws(Fault) -> RowList {
        try reader.rows(smartSql, arguments: arguments)
    }

    /// Counts the matches of a query as ``StoreReader/count(_:in:)`` does.
    public func count(_ spec: QuerySpec, in soup: String) throws(Fault) -> Int { try reader.count(spec, in: soup) }

    /// Shows the matches of a query one at a time as ``StoreReader/forEach(_:in:_:)`` does. The body must not write to
    /// the soup that it walks through.
    public func forEach(
        _ spec: QuerySpec, in soup: String, _ body: (borrowing EntryView) throws -> StoreReader.Step
    ) throws {
        try reader.forEach(spec, in: soup, body)
    }

    /// Reads the entry of one id as a value; `nil` if the soup has no entry with this id.
    ///
    /// - Throws: as `retrieve`, and what decoding throws.
    public func value<V: Decodable>(
        _ type: V.Type, id: Int64, from soup: String, coding: CodingOptions = .init()
    ) throws -> Identified<V>? {
        try reader.value(type, id: id, from: soup, coding: coding)
    }

    /// Reads the entries of these ids as values, in the given order.
    ///
    /// - Throws: as `retrieve`, and what decoding throws.
    public func values<V: Decodable>(
        _ type: V.Type, ids: [Int64], from soup: String, coding: CodingOptions = .init()
    ) throws -> [Identified<V>] {
        try reader.values(type, ids: ids, from: soup, coding: coding)
    }

    /// Reads the entries that match a query of any kind but smart as values: at most `limit`, or all.
    ///
    /// - Throws: as `entries`, and what decoding throws.
    public func values<V: Decodable>(
        _ type: V.Type, _ spec: QuerySpec, in soup: String, limit: Int? = nil, coding: CodingOptions = .init()
    ) throws -> [Identified<V>] {
        try reader.values(type, spec, in: soup, limit: limit, coding: coding)
    }

    /// Reads all rows of a Smart SQL text as values: columns by their names.
    ///
    /// - Throws: as `rows`, and what decoding throws.
    public func rows<V: Decodable>(
        _ type: V.Type, _ smartSql: String, arguments: [SQLValue] = [], coding: CodingOptions = .init()
    ) throws -> [V] {
        try reader.rows(type, smartSql, arguments: arguments, coding: coding)
    }
}
