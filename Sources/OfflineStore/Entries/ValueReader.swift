import EntryCoding

/// Decodes stored entries. Belongs to one call.
struct ValueReader {
    private let decoder: EntryDecoder

    init(_ coding: CodingOptions) { decoder = EntryDecoder(coding) }

    func value<V: Decodable>(_ type: V.Type, _ text: [UInt8]) throws -> Identified<V> {
        try text.withUnsafeBytes { try decoder.decodeEntry(type, from: $0) }
    }

    func value<V: Decodable>(_ type: V.Type, _ text: ArraySlice<UInt8>) throws -> Identified<V> {
        try text.withUnsafeBytes { try decoder.decodeEntry(type, from: $0) }
    }

    func values<V: Decodable>(_ type: V.Type, _ entries: EntryList) throws -> [Identified<V>] {
        var values: [Identified<V>] = []
        values.reserveCapacity(entries.count)
        for entry in entries {
            values.append(try value(type, entry))
        }
        return values
    }
}
