/// Compares and hashes a text by its UTF-8 bytes. Names, paths and query texts are looked up by it.
///
/// Swift's `String` compares by canonical equivalence: under a `String` key two soups whose names differ only in normalisation would be one.
public struct ByteKey: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (a: ByteKey, b: ByteKey) -> Bool {
        a.text.utf8.count == b.text.utf8.count && a.text.utf8.elementsEqual(b.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
