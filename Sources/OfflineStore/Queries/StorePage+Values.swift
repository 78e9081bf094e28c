public import EntryCoding

extension StorePage {
    /// Decodes the entries of the page as values, with their system fields; empty if the query gives rows.
    ///
    /// ```swift
    /// let page = try store.query(.all(), soup: "contacts").currentPage
    /// let contacts = try page.values(Contact.self)
    /// ```
    ///
    /// - Throws: what decoding throws.
    public func values<V: Decodable>(_ type: V.Type, coding: CodingOptions = .init()) throws -> [Identified<V>] {
        try ValueReader(coding).values(type, entries)
    }
}
