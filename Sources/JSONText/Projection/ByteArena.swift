/// Stores texts at fixed addresses until it is emptied. It keeps its memory for the next texts.
struct ByteArena: ~Copyable {
    private var chunks: [UnsafeMutableRawBufferPointer] = []
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// Removes all texts and keeps the largest chunk of memory.
    mutating func removeAll() {
        used = 0
        while chunks.count > 1 {
            chunks.removeFirst().deallocate()
        }
    }

    /// Copies bytes to an address that does not change.
    mutating func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        if used + bytes.count > chunks.last?.count ?? 0 {
            // Each chunk is at least twice as large as the one before.
            chunks.append(.allocate(byteCount: max(4096, bytes.count, 2 * (chunks.last?.count ?? 0)), alignment: 1))
            used = 0
        }
        guard let chunk = chunks.last else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let target = UnsafeMutableRawBufferPointer(rebasing: chunk[used..<used + bytes.count])
        target.copyBytes(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(target)
    }
}
