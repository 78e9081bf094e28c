extension UnsafeRawBufferPointer {
    /// Compares eight bytes at a time, the last of them first, because ids of one type begin with the same text.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var end = count
        while end >= 8 {
            end -= 8
            guard word(at: end) == other.word(at: end) else { return false }
        }
        while end > 0 {
            end -= 1
            guard self[end] == other[end] else { return false }
        }
        return true
    }

    /// Whether these bytes come before others, which are not the same, in the order of their values.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let shorter = Swift.min(count, other.count)
        var offset = 0
        while offset + 8 <= shorter {
            let mine = word(at: offset)
            let others = other.word(at: offset)
            if mine != others {
                return mine.bigEndian < others.bigEndian
            }
            offset += 8
        }
        while offset < shorter {
            if self[offset] != other[offset] {
                return self[offset] < other[offset]
            }
            offset += 1
        }
        return count < other.count
    }

    private func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}
