/// A value, or the name before a member's value.
@usableFromInline struct TapeNode: BitwiseCopyable {
    @usableFromInline enum Kind: UInt8, BitwiseCopyable { case null, `true`, `false`, number, string, object, array }

    /// The range of its text, with quotes and brackets.
    @usableFromInline let start: UInt32
    @usableFromInline var end: UInt32
    /// The index after the last node within this one.
    @usableFromInline var next: UInt32
    @usableFromInline let kind: Kind
    /// Whether a string has escapes, or a number is written as an integer.
    @usableFromInline let flag: Bool
}
