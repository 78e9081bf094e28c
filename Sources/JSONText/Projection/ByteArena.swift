/// Keeps made texts at fixed addresses until it is emptied, and its memory beyond that.
struct ByteArena: ~Copyable {
    private var chunks: [UnsafeMutableRawBufferPointer] = []
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// Forgets all texts; the largest chunk stays for the next ones.
    mutating func removeAll() {
        used = 0
        while chunks.count > 1 {
            chunks.removeFirst().deallocate()
        }
    }

    /// Copies bytes to a place where they stay.
    mutating func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        if used + bytes.count > chunks.last?.count ?? 0 {
            // Chunks double, so the last is the largest.
            chunks.append(.allocate(byteCount: max(4096, bytes.count, 2 * (chunks.last?.count ?? 0)), alignment: 1))
            used = 0
        }
        guard let chunk = chunks.last else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let place = UnsafeMutableRawBufferPointer(rebasing: chunk[used..<used + bytes.count])
        place.copyBytes(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(place)
    }
}
