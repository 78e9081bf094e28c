import EntryCoding
import Soups

/// Decodes one cell of a row, strictly: no text becomes a number, and no number a text.
struct CellDecoder: Decoder, SingleValueDecodingContainer {
    let cell: StoreCell
    let column: String
    let decoding: RowDecoding

    private struct ColumnKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var codingPath: [any CodingKey] { [ColumnKey(stringValue: column)] }
    var userInfo: [CodingUserInfoKey: Any] { decoding.coding.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self, "an entry")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self, "an entry") }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type, _ expected: String) -> any Error {
        let message = "the column \(column) holds \(cell.kindName) and not \(expected)"
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: message, underlyingError: Fault(.typeMismatch, message))
        return cell.isNull ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
    }

    private func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        guard let value = cell.int64 else { throw mismatch(type, "an integer") }
        guard let fitting = I(exactly: value) else { throw mismatch(type, "an integer of \(type)") }
        return fitting
    }

    func decodeNil() -> Bool { cell.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let value = cell.bool else { throw mismatch(type, "0 or 1") }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard let value = cell.string else { throw mismatch(type, "a text") }
        return value
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let value = cell.double else { throw mismatch(type, "a number") }
        return value
    }

    func decode(_ type: Float.Type) throws -> Float {
        guard let value = cell.double else { throw mismatch(type, "a number") }
        return Float(value)
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        switch cell {
        // A type that wants the text of an entry asks for a String.
        case .entry(let text) where type != String.self: return try decoding.entries.decode(type, from: text)
        case .value(.blob(let bytes)) where type == [UInt8].self:
            guard let value = bytes as? T else { throw mismatch(type, "bytes") }
            return value
        default: return try T(from: self)
        }
    }
}
