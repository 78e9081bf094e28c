/// A value, or the name before a member's value.
struct TapeNode: BitwiseCopyable {
    enum Kind: UInt8 { case null, `true`, `false`, number, string, object, array }

    /// Where its text starts, quotes and brackets included, and where it ends.
    let start: UInt32
    var end: UInt32
    /// The index after the last node within this one.
    var next: UInt32
    let kind: Kind
    /// Whether a string has escapes, or a number is written as an integer.
    let flag: Bool
}
