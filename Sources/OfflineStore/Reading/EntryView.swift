import JSONText
import Soups

/// Lends the text of one entry, for as long as the call of `forEach` that shows it.
public struct EntryView: ~Copyable {
    /// The id of the entry.
    public let id: Int64
    private let text: UnsafeRawBufferPointer

    init(id: Int64, text: UnsafeRawBufferPointer) {
        self.id = id
        self.text = text
    }

    /// When the entry was last written, in milliseconds since 1970, as its text says. Reads the text: O(n) in its
    /// bytes.
    ///
    /// - Throws: `corrupt` if the text has no such date.
    public var lastModified: Int64 {
        get throws(Fault) {
            let fields = JSONProjection(paths: JSONPathSet(["_soupLastModifiedDate"]))
            do throws(JSONError) {
                try fields.read(text)
            } catch {
                throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
            }
            guard case .integer(let date) = fields.numeric(of: 0) else {
                throw Fault(.corrupt, "a stored entry has no date")
            }
            return date
        }
    }

    /// Lends the JSON text. The bytes must not be used after the closure has returned.
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(text) }
}
