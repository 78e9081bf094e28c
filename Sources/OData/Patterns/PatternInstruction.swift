/// An instruction of a compiled pattern. Jumps are relative to the instruction, so that pieces of a program can be
/// joined and repeated unchanged.
enum PatternInstruction: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    /// Matches a scalar of a set, given by its index in `Pattern.sets`.
    case set(Int)
    case start, end, wordBoundary, noWordBoundary
    case split(Int, Int)
    case jump(Int)
    case match
}
