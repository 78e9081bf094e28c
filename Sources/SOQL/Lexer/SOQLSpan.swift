/// A token as the bytes from `start` up to `end` of its text, packed into eight bytes: a long query has many tokens.
struct SOQLSpan {
    /// The two offsets, of 21 bits each, because a text has at most 1 MiB, and the kind.
    private var packed: UInt64

    private static let bits: UInt64 = 21
    private static let mask: UInt64 = 1 << bits - 1

    init(kind: SOQLToken.Kind, start: Int, end: Int) {
        assert(start <= end && end <= Self.mask, "a text has at most 1 MiB")
        packed =
            UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: end) << Self.bits
            | UInt64(kind.number) << (2 * Self.bits)
    }

    var kind: SOQLToken.Kind { SOQLToken.Kind(number: UInt8(truncatingIfNeeded: packed >> (2 * Self.bits))) }
    /// Byte offsets into the text.
    var start: Int { Int(packed & Self.mask) }
    var end: Int { Int(packed >> Self.bits & Self.mask) }

    var count: Int { end - start }
    var range: Range<Int> { start..<end }
}

extension SOQLToken.Kind {
    fileprivate var number: UInt8 {
        switch self {
        case .blanks: 0
        case .quoted: 1
        case .group: 2
        case .word: 3
        case .orderBy: 4
        case .groupBy: 5
        }
    }

    fileprivate init(number: UInt8) {
        switch number {
        case 0: self = .blanks
        case 1: self = .quoted
        case 2: self = .group
        case 3: self = .word
        case 4: self = .orderBy
        default: self = .groupBy
        }
    }
}
