public import FoundationTypes

extension KeyValueStore {
    /// Stores a Swift value under a key, as its JSON text.
    ///
    /// ```swift
    /// try values.set(encoding: ["theme": "dark"], for: "settings")
    /// let settings = try values.value([String: String].self, for: "settings")
    /// ```
    ///
    /// - Throws: as `set` of bytes, and what encoding throws.
    public func set<Value: Encodable>(
        encoding value: Value, for key: String, encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try set([UInt8](try encoder.encode(value)), for: key)
    }

    /// Reads the value of a key as a Swift value; `nil` if the key has no value.
    ///
    /// - Throws: as `data(for:)`, and what decoding throws.
    public func value<Value: Decodable>(
        _ type: Value.Type, for key: String, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value? {
        try data(for: key).map { try decoder.decode(type, from: Data($0)) }
    }
}
