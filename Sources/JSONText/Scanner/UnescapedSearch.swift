/// Looks for bytes in a JSON text without reading it.
package enum UnescapedSearch {
    /// Whether a string in a JSON text may have some bytes, as a name or a value. False only if the text does
    /// not contain the bytes and has no escapes. O(n) in the length of the text.
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
        // The first and the last byte together are rare, so that few positions are looked at closely.
        let ends = Ends(of: bytes)
        var index = 0
        // Most blocks have neither them nor an escape: two are looked at together.
        while index + ends.distance + 32 <= text.count {
            let (low, high) = (ends.block(base, index), ends.block(base, index + 16))
            if !isEmpty(low.escapes .| low.fits .| high.escapes .| high.fits) {
                guard isEmpty(low.escapes .| high.escapes),
                    !stops(low.fits, index, from: index, in: text, at: bytes, isStop),
                    !stops(high.fits, index + 16, from: index, in: text, at: bytes, isStop)
                else {
                    return true
                }
            }
            index += 32
        }
        guard ends.distance + 16 <= text.count else {
            return stopsInShort(text, from: index, at: bytes, isStop)
        }
        // The last blocks overlap what was looked at, so that no byte is looked at alone.
        while index + ends.distance < text.count {
            let start = min(index, text.count - ends.distance - 16)
            let block = ends.block(base, start)
            guard isEmpty(block.escapes), !stops(block.fits, start, from: index, in: text, at: bytes, isStop) else {
                return true
            }
            index = start + 16
        }
        // The bytes cannot begin after here, but something can be escaped.
        while index < text.count {
            let start = min(index, text.count - 16)
            guard isEmpty(ends.escapes(base, start)) else { return true }
            index = start + 16
        }
        return false
    }

    /// Walks over the occurrences in a text that has no block, one byte after the other.
    @inline(__always)
    private static func stopsInShort(
        _ text: UnsafeRawBufferPointer, from start: Int, at bytes: UnsafeRawBufferPointer, _ isStop: (Int) -> Bool
    ) -> Bool {
        for index in start..<text.count
        where text[index] == UInt8(ascii: "\\") || isAt(index, bytes, in: text) && isStop(index) {
            return true
        }
        return false
    }

    /// Walks over the positions of a block, from one on, where bytes may be, until one is stopped at.
    @inline(__always)
    private static func stops(
        _ fits: Mask, _ start: Int, from first: Int, in text: UnsafeRawBufferPointer, at bytes: UnsafeRawBufferPointer,
        _ isStop: (Int) -> Bool
    ) -> Bool {
        let halves = unsafeBitCast(fits, to: SIMD2<UInt64>.self)
        for half in 0..<2 {
            var matches = halves[half]
            while matches != 0 {
                let bit = matches.trailingZeroBitCount & ~7
                let position = start + half * 8 + bit / 8
                if position >= first, isAt(position, bytes, in: text), isStop(position) {
                    return true
                }
                matches &= ~(0xFF << UInt64(bit))
            }
        }
        return false
    }

    private typealias Mask = SIMDMask<SIMD16<Int8>>

    @inline(__always)
    private static func isEmpty(_ mask: Mask) -> Bool {
        let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return halves[0] | halves[1] == 0
    }

    /// The first and the last of some bytes, which tell for 16 positions at once where these may be.
    private struct Ends {
        private let first: SIMD16<UInt8>
        private let last: SIMD16<UInt8>
        private let escape = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        /// The distance between them.
        let distance: Int

        init(of bytes: UnsafeRawBufferPointer) {
            distance = bytes.count - 1
            first = SIMD16(repeating: bytes[0])
            last = SIMD16(repeating: bytes[distance])
        }

        @inline(__always)
        func block(_ base: UnsafeRawPointer, _ index: Int) -> (escapes: Mask, fits: Mask) {
            let block = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let end = base.loadUnaligned(fromByteOffset: index + distance, as: SIMD16<UInt8>.self)
            return (block .== escape, (block .== first) .& (end .== last))
        }

        @inline(__always)
        func escapes(_ base: UnsafeRawPointer, _ index: Int) -> Mask {
            base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self) .== escape
        }
    }

    /// Whether a text has some bytes at a position.
    @inline(__always)
    static func isAt(_ start: Int, _ bytes: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
        guard start >= 0, start + bytes.count <= text.count else { return false }
        for offset in 0..<bytes.count where text[start + offset] != bytes[offset] {
            return false
        }
        return true
    }
}
