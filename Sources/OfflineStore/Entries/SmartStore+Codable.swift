public import FoundationTypes
import JSONText
import Soups

// Swift values by the coders of Foundation, which take several times as long as those of `EntryCoding`.
extension SmartStore {
    /// Stores values in one transaction, and returns the ids of their entries in the same order. Throws as `upsert`
    /// does, and what encoding throws.
    @available(*, deprecated, message: "use upsert(values:into:), which is several times as fast")
    @discardableResult
    public func upsert<Value: Encodable>(
        encoding values: [Value], into soup: String, externalIdPath: String? = nil, encoder: JSONEncoder = JSONEncoder()
    ) throws -> [Int64] {
        let texts = try values.map { [UInt8](try encoder.encode($0)) }
        return try upsert(texts, into: soup, externalIdPath: externalIdPath).map { entry throws(Fault) in
            guard let id = try EntryArray.value(of: entry)["_soupEntryId"]?.int64 else {
                throw Fault(.corrupt, "a stored entry has no id")
            }
            return id
        }
    }

    /// Reads the entries of these ids as values. Throws as `retrieve` does, and what decoding throws.
    @available(*, deprecated, message: "use values(_:ids:from:), which is several times as fast")
    public func retrieve<Value: Decodable>(
        _ type: Value.Type, ids: [Int64], from soup: String, decoder: JSONDecoder = JSONDecoder()
    ) throws -> [Value] {
        try retrieve(ids: ids, from: soup).map { try decoder.decode(type, from: Data($0)) }
    }
}

extension StorePage {
    /// Decodes the entries of the page as values. Throws what decoding throws.
    @available(*, deprecated, message: "use values(_:), which is several times as fast")
    public func decoded<Value: Decodable>(as type: Value.Type, decoder: JSONDecoder = JSONDecoder()) throws -> [Value] {
        try entries.map { try decoder.decode(type, from: Data($0)) }
    }
}
