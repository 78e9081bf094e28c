/// A value, or the name before a member's value.
@usableFromInline struct TapeNode: BitwiseCopyable {
    @usableFromInline enum Kind: UInt8, BitwiseCopyable { case null, `true`, `false`, number, string, object, array }

    /// Where its text starts, quotes and brackets included, and where it ends.
    @usableFromInline let start: UInt32
    @usableFromInline var end: UInt32
    /// The index after the last node within this one.
    @usableFromInline var next: UInt32
    @usableFromInline let kind: Kind
    /// Whether a string has escapes, or a number is written as an integer.
    @usableFromInline let flag: Bool

    init(start: UInt32, end: UInt32, next: UInt32, kind: Kind, flag: Bool) {
        self.start = start
        self.end = end
        self.next = next
        self.kind = kind
        self.flag = flag
    }
}
