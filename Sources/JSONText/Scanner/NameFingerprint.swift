/// Computes a 64-bit fingerprint of a name from its length and its first and last eight bytes. Equal names have equal
/// fingerprints.
enum NameFingerprint {
    /// The first eight bytes of the text from `start`, padded with zeros.
    @inline(__always) static func prefix(
        _ text: UnsafePointer<UInt8>, from start: Int, to end: Int, limit: Int
    ) -> UInt64 {
        let length = end &- start
        guard start &+ 8 <= limit else {
            return shortPrefix(text, from: start, to: end)
        }
        let bytes = UInt64(littleEndian: UnsafeRawPointer(text + start).loadUnaligned(as: UInt64.self))
        return length >= 8 ? bytes : bytes & ((1 &<< (UInt64(truncatingIfNeeded: length) &* 8)) &- 1)
    }

    @inline(never) private static func shortPrefix(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> UInt64
    {
        var bytes: UInt64 = 0
        for index in 0..<min(end - start, 8) {
            bytes |= UInt64(text[start + index]) << UInt64(8 * index)
        }
        return bytes
    }

    @inline(__always) static func fingerprint(
        _ text: UnsafePointer<UInt8>, from start: Int, to end: Int, prefix: UInt64
    ) -> UInt64 {
        let length = end &- start
        var mixed = (prefix ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        if length > 8 {
            let suffix = UInt64(littleEndian: UnsafeRawPointer(text + end - 8).loadUnaligned(as: UInt64.self))
            mixed = (mixed ^ suffix) &* 0xD6E8_FEB8_6659_FD93
        }
        return mixed ^ (mixed &>> 32)
    }

    /// The prefix and the fingerprint of a decoded name.
    static func fingerprint(_ name: [UInt8]) -> (prefix: UInt64, fingerprint: UInt64) {
        name.withUnsafeBufferPointer { name in
            guard let base = name.baseAddress else {
                return (0, 0)
            }
            let prefix = prefix(base, from: 0, to: name.count, limit: name.count)
            return (prefix, fingerprint(base, from: 0, to: name.count, prefix: prefix))
        }
    }
}
