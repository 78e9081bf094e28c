/// One step of a pattern's program; jumps count from the instruction itself, so that pieces can be joined and repeated
/// as they are.
enum PatternInstruction: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    /// A scalar of a set, by its place in `Pattern.sets`.
    case set(Int)
    case start, end, wordBoundary, noWordBoundary
    case split(Int, Int)
    case jump(Int)
    case match
}
