extension ODataEntry {
    /// Decodes a type from the properties and the expanded entries.
    ///
    /// ```swift
    /// struct Item: Decodable {
    ///     var Name: String
    ///     var Price: Double?
    /// }
    /// let item = try entry.decode(Item.self)
    /// ```
    ///
    /// Keys are names of properties, compared by bytes. Types that conform to ``ODataConvertible`` and `Date`, `Data`,
    /// `Decimal` and `UUID` are read from the value; other types decode from complex values, collections and expanded
    /// entries. Throws `DecodingError` with the path of what is missing or does not fit.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try EntryDecoder(node: EntryNode(self), codingPath: []).decode(type)
    }
}
