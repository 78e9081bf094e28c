/// Looks for bytes in a JSON text without reading it.
package enum UnescapedSearch {
    /// Whether a string in a JSON text may have some bytes, as a name or a value. False only if none has: the bytes are
    /// nowhere in the text, and nothing in it is escaped. O(n) in the length of the text.
    package static func mayContain(_ bytes: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
        stops(in: text, at: bytes) { _ in true }
    }

    /// Whether a string in a JSON text may have these bytes.
    package static func mayContain(_ bytes: StaticString, in text: UnsafeRawBufferPointer) -> Bool {
        mayContain(UnsafeRawBufferPointer(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount), in: text)
    }

    /// Walks over the occurrences of some bytes, at least one, until one is stopped at. Returns whether one was, or an
    /// escape was met.
    @inline(__always)
    static func stops(
        in text: UnsafeRawBufferPointer, at bytes: UnsafeRawBufferPointer, _ isStop: (Int) -> Bool
    ) -> Bool {
        guard let base = text.baseAddress else { return false }
        let behind = bytes.count - 1
        let escape = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        // The first and the last byte together are rare, so that few places are looked at closely.
        let first = SIMD16<UInt8>(repeating: bytes[0])
        let last = SIMD16<UInt8>(repeating: bytes[behind])
        var index = 0
        while index + behind + 16 <= text.count {
            let block = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let escapes = unsafeBitCast(block .== escape, to: SIMD2<UInt64>.self)
            guard escapes[0] | escapes[1] == 0 else {
                return true
            }
            let end = base.loadUnaligned(fromByteOffset: index + behind, as: SIMD16<UInt8>.self)
            let halves = unsafeBitCast((block .== first) .& (end .== last), to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                var matches = halves[half]
                while matches != 0 {
                    let bit = matches.trailingZeroBitCount & ~7
                    let place = index + half * 8 + bit / 8
                    if isAt(place, bytes, in: text), isStop(place) {
                        return true
                    }
                    matches &= ~(0xFF << UInt64(bit))
                }
            }
            index += 16
        }
        while index < text.count {
            if text[index] == UInt8(ascii: "\\") || isAt(index, bytes, in: text) && isStop(index) {
                return true
            }
            index += 1
        }
        return false
    }

    /// Whether a text has some bytes at a place.
    @inline(__always)
    static func isAt(_ start: Int, _ bytes: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
        guard start >= 0, start + bytes.count <= text.count else { return false }
        for offset in 0..<bytes.count where text[start + offset] != bytes[offset] {
            return false
        }
        return true
    }
}
