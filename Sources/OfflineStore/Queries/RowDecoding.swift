public import EntryCoding
import Soups

extension StoreRow {
    /// Decodes the row: columns by their names, in order for a type that asks for a list, and the first one for a type
    /// that asks for a single value. A column that holds an entry decodes from its text.
    ///
    /// Conversions are strict, as those of ``int64(_:)`` and its relatives; NULL is nil.
    ///
    /// - Throws: `DecodingError` with the name of the column; a `Fault` is its underlying error.
    public func decode<V: Decodable>(_ type: V.Type) throws -> V { try decode(type, coding: CodingOptions()) }

    /// Decodes the row with options for the entries in it, and for the names of columns.
    ///
    /// - Throws: as the form without options.
    public func decode<V: Decodable>(_ type: V.Type, coding: CodingOptions) throws -> V {
        try RowDecoding(coding).value(type, self)
    }
}

/// Decodes rows. Belongs to one call.
struct RowDecoding {
    let coding: CodingOptions
    let entries: EntryDecoder

    init(_ coding: CodingOptions) {
        self.coding = coding
        entries = EntryDecoder(coding)
    }

    func value<V: Decodable>(_ type: V.Type, _ row: StoreRow) throws -> V {
        try V(from: RowDecoder(row: row, decoding: self))
    }

    func values<V: Decodable>(_ type: V.Type, _ rows: RowList) throws -> [V] {
        var values: [V] = []
        values.reserveCapacity(rows.count)
        for row in rows {
            values.append(try value(type, row))
        }
        return values
    }
}

/// Decodes one row.
private struct RowDecoder: Decoder {
    let row: StoreRow
    let decoding: RowDecoding

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { decoding.coding.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { RowElements(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try cell(0, Any.self) }

    func cell(_ index: Int, _ type: Any.Type) throws -> CellDecoder {
        guard row.indices.contains(index) else {
            throw DecodingError.valueNotFound(
                type, DecodingError.Context(codingPath: [], debugDescription: "the row has no more columns"))
        }
        return CellDecoder(cell: row[index], column: row.columns[index], decoding: decoding)
    }
}

/// Finds the columns of a row by their names.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.row.columns.compactMap { Key(stringValue: decoder.decoding.coding.keys.read($0)) } }

    func contains(_ key: Key) -> Bool { index(key) != nil }

    private func index(_ key: Key) -> Int? {
        let name = ByteKey(decoder.decoding.coding.keys.written(key.stringValue))
        return decoder.row.columns.firstIndex { ByteKey($0) == name }
    }

    private func cell(_ key: Key) throws -> CellDecoder {
        guard let index = index(key) else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: [], debugDescription: "the row has no column \(key.stringValue)"))
        }
        return try decoder.cell(index, Any.self)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try cell(key).decodeNil() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try cell(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw try cell(key).mismatch([String: Any].self, "an entry that is decoded as a whole")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw try cell(key).mismatch([Any].self, "an entry that is decoded as a whole")
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try cell(key) }
}

/// Gives the columns of a row in order.
private struct RowElements: UnkeyedDecodingContainer {
    let decoder: RowDecoder
    private(set) var currentIndex = 0

    init(decoder: RowDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { decoder.row.count }
    var isAtEnd: Bool { currentIndex >= decoder.row.count }

    mutating func decodeNil() throws -> Bool {
        guard try decoder.cell(currentIndex, Never.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try decoder.cell(currentIndex, type).decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        throw try decoder.cell(currentIndex, type).mismatch(type, "an entry that is decoded as a whole")
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw try decoder.cell(currentIndex, [Any].self).mismatch([Any].self, "an entry that is decoded as a whole")
    }

    mutating func superDecoder() throws -> any Decoder { try decoder.cell(currentIndex, Any.self) }
}
