/// Looks for the name of a member in a text without reading it.
package enum NameSearch {
    /// Whether an object in a JSON text may have a member of a name. False only if there is none: the name is nowhere in
    /// the text, and nothing in it is escaped. O(n) in the length of the text.
    package static func mayContain(_ name: StaticString, in text: UnsafeRawBufferPointer) -> Bool {
        guard let base = text.baseAddress else { return false }
        let count = name.utf8CodeUnitCount
        let escape = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let first = SIMD16<UInt8>(repeating: name.utf8Start[0])
        var index = 0
        while index + 16 <= text.count {
            let block = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            var halves = unsafeBitCast(block .== escape, to: SIMD2<UInt64>.self)
            guard halves[0] | halves[1] == 0 else {
                return true
            }
            halves = unsafeBitCast(block .== first, to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                var matches = halves[half]
                while matches != 0 {
                    let bit = matches.trailingZeroBitCount & ~7
                    if isAt(index + half * 8 + bit / 8, name, count, base, text.count) {
                        return true
                    }
                    matches &= ~(0xFF << UInt64(bit))
                }
            }
            index += 16
        }
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\\") || byte == name.utf8Start[0] && isAt(index, name, count, base, text.count) {
                return true
            }
            index += 1
        }
        return false
    }

    private static func isAt(
        _ start: Int, _ name: StaticString, _ count: Int, _ base: UnsafeRawPointer, _ end: Int
    ) -> Bool {
        guard start + count <= end else { return false }
        for offset in 0..<count
        where base.load(fromByteOffset: start + offset, as: UInt8.self) != name.utf8Start[offset] {
            return false
        }
        return true
    }
}
