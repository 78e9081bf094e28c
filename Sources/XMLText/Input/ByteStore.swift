/// Collects bytes at an address that stays while nothing is appended: what attribute values are rewritten into.
///
/// Plain memory, because the values are handed out as slices of it without a closure; freed with it.
struct ByteStore: ~Copyable {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity = 256

    init() { bytes = .allocate(capacity: 256) }

    deinit { bytes.deallocate() }

    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        bytes[count] = byte
        count += 1
    }

    mutating func append(_ slice: UnsafeBufferPointer<UInt8>) {
        guard let start = slice.baseAddress, !slice.isEmpty else { return }
        reserve(slice.count)
        (bytes + count).update(from: start, count: slice.count)
        count += slice.count
    }

    mutating func append(scalar: UInt32) {
        var encoded: [UInt8] = []
        UTF8Sequence.append(scalar, to: &encoded)
        for byte in encoded { append(byte) }
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(count + more, 2 * capacity)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: bytes, count: count)
        bytes.deallocate()
        bytes = larger
    }
}
