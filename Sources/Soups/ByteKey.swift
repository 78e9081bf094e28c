import StepCounting

/// A text that is compared and hashed by its UTF-8 bytes. It is the dictionary key for names, paths and query texts.
///
/// Swift's `String` compares by canonical equivalence: with `String` keys, two soups whose names differ only in
/// normalization would be the same.
public struct ByteKey: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (a: ByteKey, b: ByteKey) -> Bool {
        StepCounter.add(1 + a.text.utf8.count >> 4)
        // Read in place, because a mutable copy would change reference counts.
        let equal = a.text.utf8.withContiguousStorageIfAvailable { a in
            b.text.utf8.withContiguousStorageIfAvailable { b in
                same(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
            }
        }
        return (equal ?? nil) ?? a.text.utf8.elementsEqual(b.text.utf8)
    }

    /// Compares eight bytes at a time, because query texts are long.
    private static func same(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        guard a.baseAddress != b.baseAddress else { return true }
        var offset = 0
        while offset + 8 <= a.count {
            if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset += 8
        }
        while offset < a.count {
            if a[offset] != b[offset] {
                return false
            }
            offset += 1
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        StepCounter.add(1 + self.text.utf8.count >> 4)
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
