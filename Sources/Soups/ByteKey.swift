/// Compares and hashes a text by its UTF-8 bytes. Names, paths and query texts are looked up by it.
///
/// Swift's `String` compares by canonical equivalence: under a `String` key two soups whose names differ only in
/// normalisation would be one.
public struct ByteKey: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (a: ByteKey, b: ByteKey) -> Bool {
        // Lent where it lies: a copy to write to would count references.
        let equal = a.text.utf8.withContiguousStorageIfAvailable { a in
            b.text.utf8.withContiguousStorageIfAvailable { b in
                same(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
            }
        }
        return (equal ?? nil) ?? a.text.utf8.elementsEqual(b.text.utf8)
    }

    /// Compares eight bytes at a time: query texts are long, and found by this.
    private static func same(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        guard a.baseAddress != b.baseAddress else { return true }
        var place = 0
        while place + 8 <= a.count {
            if a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                != b.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            {
                return false
            }
            place += 8
        }
        while place < a.count {
            if a[place] != b[place] {
                return false
            }
            place += 1
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
