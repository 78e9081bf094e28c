/// Finds bytes sixteen at a time.
enum ByteSearch {
    /// The index of the first occurrence of a byte in a range.
    static func first(_ byte: UInt8, in base: UnsafeMutableRawPointer, from start: Int, to end: Int) -> Int? {
        let wanted = SIMD16<UInt8>(repeating: byte)
        var index = start
        while index + 16 <= end {
            let block = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let halves = unsafeBitCast(block .== wanted, to: SIMD2<UInt64>.self)
            if halves[0] != 0 {
                return index + halves[0].trailingZeroBitCount / 8
            }
            if halves[1] != 0 {
                return index + 8 + halves[1].trailingZeroBitCount / 8
            }
            index += 16
        }
        while index < end {
            if base.load(fromByteOffset: index, as: UInt8.self) == byte {
                return index
            }
            index += 1
        }
        return nil
    }
}
