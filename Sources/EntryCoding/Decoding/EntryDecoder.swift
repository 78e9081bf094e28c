import FoundationTypes
import JSONText
import Soups

/// Decodes values from JSON text without building a tree.
///
/// ```swift
/// let decoder = EntryDecoder()
/// let contact = try decoder.decode(Contact.self, from: text)
/// ```
///
/// It reads what `JSONDecoder` reads, and gives equal values: all integers, doubles, texts, enumerations, collections,
/// dates and the other types of Foundation. Texts may be nested 512 deep. What differs:
///
/// - The whole text must be JSON in UTF-8, also what is not asked for.
/// - Names are compared by their bytes, and of two members with one name the last counts, as in a store.
/// - Integers are exact and never go through a double: `9223372036854775807.0` decodes, `1.00000000000000000001` does
///   not.
/// - A number that is too small for a `Float` is 0.
/// - `superDecoder()` throws if there is no member `super`.
/// - With `CodingOptions.KeyCoding.snakeCase` a property such as `myURL` is found under the name that the encoder
///   writes.
///
/// Errors are `DecodingError`s with the whole coding path; a `Fault` with the byte offset is the underlying error.
/// Reuse a decoder: it keeps its memory. Not for two threads at once; a `Decoder` that is kept after the call throws.
public final class EntryDecoder {
    private let state: DecodingState

    /// Creates a decoder.
    public init(_ options: CodingOptions = .init()) { state = DecodingState(options) }

    /// Decodes a value. O(n) in the bytes of the text.
    ///
    /// - Throws: `DecodingError`, and what the type throws.
    public func decode<V: Decodable>(_ type: V.Type, from text: UnsafeRawBufferPointer) throws -> V {
        try state.decoding(text) { try $0.value(type) }
    }

    /// Decodes a value. O(n) in the bytes of the text.
    ///
    /// - Throws: `DecodingError`, and what the type throws.
    public func decode<V: Decodable>(_ type: V.Type, from text: some Collection<UInt8>) throws -> V {
        if let value = try text.withContiguousStorageIfAvailable({ try decode(type, from: UnsafeRawBufferPointer($0)) })
        {
            return value
        }
        return try Array(text).withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a stored entry with its system fields.
    package func decodeEntry<V: Decodable>(_ type: V.Type, from text: UnsafeRawBufferPointer) throws -> Identified<V> {
        try state.decoding(text) { root in
            let value = try root.value(type)
            guard let id = state.find(writtenName: "_soupEntryId", in: root.node)?.int64,
                let date = state.find(writtenName: "_soupLastModifiedDate", in: root.node)?.int64
            else {
                throw Fault(.corrupt, "a stored entry has no id or no date")
            }
            return Identified(id: id, lastModified: date, value: value)
        }
    }
}
