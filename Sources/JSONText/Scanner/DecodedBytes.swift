/// Iterates over the decoded bytes of a checked string.
struct DecodedBytes {
    private let source: UnsafePointer<UInt8>
    private var position: Int
    private let end: Int
    private var pending: UInt32 = 0
    private var pendingCount = 0

    init(_ source: UnsafePointer<UInt8>, _ token: StringToken) {
        self.source = source
        position = token.start
        end = token.end
    }

    mutating func next() -> UInt8? {
        if pendingCount == 0 {
            guard position < end else { return nil }
            var bytes: UInt32 = 0
            var count = 0
            StringDecoding.step(source, &position) { byte in
                bytes |= UInt32(byte) << UInt32(8 * count)
                count += 1
            }
            pending = bytes
            pendingCount = count
        }
        let byte = UInt8(truncatingIfNeeded: pending)
        pending >>= 8
        pendingCount -= 1
        return byte
    }
}
