import Soups

/// A regular expression of ECMAScript, as `matchesPattern` takes it: compiled to a small program that is run on all its
/// ways at once.
///
/// Matching costs at most (scalars of the text) x (instructions), whatever pattern and text are: nothing is ever tried
/// twice, so no pattern can make it slow. That rules out what no such machine can do, backreferences and looking
/// around, which are `unsupported`. Works on Unicode scalars, as the flag `u` of ECMAScript does; `^` and `$` are the
/// ends of the text, and letter case counts. Source: OData URL Conventions 4.01, 5.1.1.7.1; ECMA-262, 22.2.
struct Pattern: Sendable {
    let program: [PatternInstruction]
    let sets: [PatternSet]

    /// The most instructions of a pattern; counted repetitions are written out, so `(a{99}){99}` has many.
    static let maximumLength = 4096

    /// Compiles a pattern. Faults, with the byte offset into it: `invalidLiteral` for what is no pattern, `unsupported`
    /// for what this matcher lacks, `limitExceeded` for one that is too long or nested too deeply.
    init(parsing text: String) throws(Fault) {
        var parser = PatternParser(text)
        program = try parser.parse()
        sets = parser.sets
    }

    /// Tells whether the pattern matches some part of the text.
    func matches(_ text: String) -> Bool {
        var threads = PatternThreads(self)
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if threads.start(between: previous, and: scalar) {
                return true
            }
            threads.advance(over: scalar)
            previous = scalar
        }
        return threads.start(between: previous, and: nil)
    }
}
