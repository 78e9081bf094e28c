/// Reads one UTF-8 sequence of two or more bytes. It refuses overlong forms, surrogates, values above U+10FFFF, and the
/// characters U+FFFE and U+FFFF, which XML excludes.
enum UTF8Sequence {
    enum Outcome {
        case scalar(UInt32, count: Int)
        /// The bytes are the start of a valid sequence.
        case incomplete
        case invalid
    }

    /// - Parameters:
    ///   - bytes: points to the first byte; at least `available` bytes follow.
    @inline(__always)
    static func read(_ bytes: UnsafePointer<UInt8>, available: Int) -> Outcome {
        let first = bytes[0]
        guard first >= 0xC2, first <= 0xF4 else {
            return .invalid
        }
        guard available >= 2 else {
            return .incomplete
        }
        let second = bytes[1]
        guard second & 0xC0 == 0x80 else {
            return .invalid
        }
        if first < 0xE0 {
            return .scalar(UInt32(first & 0x1F) << 6 | UInt32(second & 0x3F), count: 2)
        }
        switch first {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F:
            return .invalid
        default: break
        }
        guard available >= 3 else {
            return .incomplete
        }
        let third = bytes[2]
        guard third & 0xC0 == 0x80 else {
            return .invalid
        }
        if first < 0xF0 {
            let scalar = UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
            return scalar >= 0xFFFE ? .invalid : .scalar(scalar, count: 3)
        }
        guard available >= 4 else {
            return .incomplete
        }
        let fourth = bytes[3]
        guard fourth & 0xC0 == 0x80 else {
            return .invalid
        }
        let scalar =
            UInt32(first & 0x07) << 18 | UInt32(second & 0x3F) << 12 | UInt32(third & 0x3F) << 6 | UInt32(fourth & 0x3F)
        return .scalar(scalar, count: 4)
    }

    /// Passes the UTF-8 bytes of a scalar to a closure.
    @inline(__always)
    static func encode(_ scalar: UInt32, _ put: (UInt8) -> Void) {
        switch scalar {
        case 0..<0x80:
            put(UInt8(scalar))
        case 0x80..<0x800:
            put(UInt8(0xC0 | scalar >> 6))
            put(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            put(UInt8(0xE0 | scalar >> 12))
            put(UInt8(0x80 | scalar >> 6 & 0x3F))
            put(UInt8(0x80 | scalar & 0x3F))
        default:
            put(UInt8(0xF0 | scalar >> 18))
            put(UInt8(0x80 | scalar >> 12 & 0x3F))
            put(UInt8(0x80 | scalar >> 6 & 0x3F))
            put(UInt8(0x80 | scalar & 0x3F))
        }
    }

    /// Appends the UTF-8 form of a scalar.
    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) { encode(scalar) { bytes.append($0) } }
}
