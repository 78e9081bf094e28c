/// The numbers of short names that were looked up recently, by their bytes: one number for each hash, the last one.
///
/// A document whose elements follow each other in no order defeats the prediction of names. Then this table spares most
/// look-ups, which find the end of a name and compare it byte by byte. It forgets, and is never searched, so no
/// document can make it slow.
struct RecentNames: ~Copyable {
    /// Up to 16 bytes in memory order, padded with zeros.
    struct Words: BitwiseCopyable {
        var first: UInt64
        var second: UInt64
        var count: Int
    }

    private static let size = 1_024
    /// Numbers of names; -1 for a free slot.
    private var numbers: PlainBuffer<Int32>

    init() {
        numbers = PlainBuffer(capacity: Self.size)
        for _ in 0..<Self.size {
            numbers.append(-1)
        }
    }

    @inline(__always)
    subscript(words: Words) -> Int32 { numbers.base[Self.slot(words)] }

    mutating func set(_ words: Words, _ number: Int32) { numbers.base[Self.slot(words)] = number }

    /// The upper ten bits of a product: the number of slots.
    @inline(__always)
    private static func slot(_ words: Words) -> Int {
        let mixed = words.first ^ (words.second &* 0xD6E8_FEB8_6659_FD93)
        return Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 54)
    }
}
