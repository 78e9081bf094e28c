public import EntryCoding
public import Soups

// The calls about Swift values for asynchronous code. They run on threads of the store's own, do what their blocking
// forms of the same name do and throw the same errors, and `CancellationError` in addition.
extension SmartStore {
    /// Stores values as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func upsert<V: Encodable & Sendable>(
        values: [V], into soup: String, externalIdPath: String? = nil, coding: CodingOptions = .init()
    ) async throws -> [Int64] {
        try await connections.perform(.writing) {
            try self.upsert(values: values, into: soup, externalIdPath: externalIdPath, coding: coding)
        }
    }

    /// Stores one value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func upsert<V: Encodable & Sendable>(
        value: V, into soup: String, externalIdPath: String? = nil, coding: CodingOptions = .init()
    ) async throws -> Int64 {
        try await connections.perform(.writing) {
            try self.upsert(value: value, into: soup, externalIdPath: externalIdPath, coding: coding)
        }
    }

    /// Writes values over their entries as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func update<V: Encodable & Sendable>(
        _ values: [Identified<V>], in soup: String, coding: CodingOptions = .init()
    ) async throws {
        try await connections.perform(.writing) { try self.update(values, in: soup, coding: coding) }
    }

    /// Reads one value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func value<V: Decodable & Sendable>(
        _ type: V.Type, id: Int64, from soup: String, coding: CodingOptions = .init()
    ) async throws -> Identified<V>? {
        try await connections.perform(.reading) { try self.value(type, id: id, from: soup, coding: coding) }
    }

    /// Reads values by id as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func values<V: Decodable & Sendable>(
        _ type: V.Type, ids: [Int64], from soup: String, coding: CodingOptions = .init()
    ) async throws -> [Identified<V>] {
        try await connections.perform(.reading) { try self.values(type, ids: ids, from: soup, coding: coding) }
    }

    /// Reads the values that match a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func values<V: Decodable & Sendable>(
        _ type: V.Type, _ spec: QuerySpec, in soup: String, limit: Int? = nil, coding: CodingOptions = .init()
    ) async throws -> [Identified<V>] {
        try await connections.perform(.reading) {
            try self.values(type, spec, in: soup, limit: limit, coding: coding)
        }
    }

    /// Reads rows as values as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func rows<V: Decodable & Sendable>(
        _ type: V.Type, _ smartSql: String, arguments: [SQLValue] = [], coding: CodingOptions = .init()
    ) async throws -> [V] {
        try await connections.perform(.reading) {
            try self.rows(type, smartSql, arguments: arguments, coding: coding)
        }
    }

    /// Reads the values that match a query of any kind but smart, one at a time, in constant memory.
    ///
    /// ```swift
    /// for try await contact in store.stream(Contact.self, .all(pageSize: 100), in: "contacts") {
    ///     show(contact.value)
    /// }
    /// ```
    ///
    /// It reads a page of the query when the one before is used up, and continues by keys: each page is a state of the
    /// store of its own.
    public func stream<V: Decodable & Sendable>(
        _ type: V.Type, _ spec: QuerySpec, in soup: String, coding: CodingOptions = .init()
    ) -> ValueStream<V> {
        ValueStream(store: self, spec: spec, soup: soup, coding: coding)
    }

    /// Reads the values that match a query of any kind but smart, and again when they have changed: at most `limit`, or
    /// all. They are compared by the bytes of their entries, and decoded only if these differ.
    ///
    /// - Throws: the values throw what reading and decoding throw.
    public func liveQuery<V: Decodable & Sendable>(
        _ type: V.Type, _ spec: QuerySpec, in soup: String, limit: Int? = nil,
        otherProcesses: OtherProcesses = .ignored, coding: CodingOptions = .init()
    ) -> LiveValues<[Identified<V>]> {
        live(otherProcesses: otherProcesses) { reader in
            try reader.entries(spec, in: soup, limit: limit)
        } making: { entries in
            try ValueReader(coding).values(type, entries)
        }
    }
}
