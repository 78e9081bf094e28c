public import EntryCoding
public import Soups

// MARK: - Swift values
extension StoreReader {
    /// Reads the entry of one id as a value, with its system fields; `nil` if the soup has no entry with this id.
    ///
    /// - Throws: as `retrieve`, and what decoding throws.
    public func value<V: Decodable>(
        _ type: V.Type, id: Int64, from soup: String, coding: CodingOptions = .init()
    ) throws -> Identified<V>? {
        try retrieve(id: id, from: soup).map { try ValueReader(coding).value(type, $0) }
    }

    /// Reads the entries of these ids as values, in the given order.
    ///
    /// - Throws: as `retrieve`, and what decoding throws.
    public func values<V: Decodable>(
        _ type: V.Type, ids: [Int64], from soup: String, coding: CodingOptions = .init()
    ) throws -> [Identified<V>] {
        try ValueReader(coding).values(type, retrieve(ids: ids, from: soup))
    }

    /// Reads the entries that match a query of any kind but smart as values: at most `limit`, or all.
    ///
    /// - Throws: as `entries`, and what decoding throws.
    public func values<V: Decodable>(
        _ type: V.Type, _ spec: QuerySpec, in soup: String, limit: Int? = nil, coding: CodingOptions = .init()
    ) throws -> [Identified<V>] {
        try ValueReader(coding).values(type, entries(spec, in: soup, limit: limit))
    }

    /// Reads all rows of a Smart SQL text as values: columns by their names.
    ///
    /// - Throws: as `rows`, and what decoding throws.
    public func rows<V: Decodable>(
        _ type: V.Type, _ smartSql: String, arguments: [SQLValue] = [], coding: CodingOptions = .init()
    ) throws -> [V] {
        try RowDecoding(coding).values(type, rows(smartSql, arguments: arguments))
    }
}
