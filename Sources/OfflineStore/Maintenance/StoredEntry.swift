import JSONText
package import Soups

/// Checks what a damaged file gives as an entry.
package enum StoredEntry {
    /// Throws `corrupt` unless a text is a JSON object, as every entry that was stored. O(n) in the number of its
    /// bytes.
    ///
    /// - Parameter id: Names the entry in the message.
    package static func check(_ text: [UInt8], id: Int64? = nil) throws(Fault) {
        let name = id.map { "the entry \($0)" } ?? "a stored entry"
        if let error = text.withUnsafeBytes(failure) {
            throw Fault(.corrupt, "\(name) is not valid JSON: \(error.message)", offset: error.offset)
        }
        guard text.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") else {
            throw Fault(.corrupt, "\(name) is not an object")
        }
    }

    private static func failure(_ text: UnsafeRawBufferPointer) -> JSONError? {
        do throws(JSONError) {
            try JSONSyntax.check(text, options: .storedEntry)
            return nil
        } catch {
            return error
        }
    }

    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
}
