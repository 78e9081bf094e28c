import Soups

/// A regular expression of ECMAScript, as used by `matchesPattern`. It is compiled to a small program, and all
/// alternatives are followed at the same time.
///
/// Matching takes at most (scalars in the text) x (instructions) steps for any pattern and text, because there is no
/// backtracking. Back references, lookahead and lookbehind cannot be matched in this way and are `unsupported`.
/// Patterns work on Unicode scalars, like the flag `u` of ECMAScript. `^` and `$` match the ends of the text, and
/// matching is case-sensitive. Source: OData URL Conventions 4.01, 5.1.1.7.1; ECMA-262, 22.2.
struct Pattern: Sendable {
    let program: [PatternInstruction]
    let sets: [PatternSet]

    /// The maximum number of instructions of a pattern. Counted repetitions are expanded, so `(a{99}){99}` has many.
    static let maximumLength = 4096

    /// Compiles a pattern. Throws `invalidLiteral` for a malformed pattern, `unsupported` for features that this
    /// matcher lacks, and `limitExceeded` for a pattern that is too long or nested too deeply, each with a byte offset.
    init(parsing text: String) throws(Fault) {
        var parser = PatternParser(text)
        program = try parser.parse()
        sets = parser.sets
    }

    /// Whether the pattern matches a part of the text. Each scalar costs a step for eight instructions that it meets.
    func matches(_ text: String, _ budget: inout EvaluationBudget) throws(Fault) -> Bool {
        var threads = PatternThreads(self)
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            try budget.spend(1 + threads.count >> 3)
            if threads.start(between: previous, and: scalar) {
                return true
            }
            threads.advance(over: scalar)
            previous = scalar
        }
        return threads.start(between: previous, and: nil)
    }
}
