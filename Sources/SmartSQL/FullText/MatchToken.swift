/// One piece of a match expression.
struct MatchToken {
    enum Kind: Equatable {
        case word, phrase, open, close, comma, and, or, not, near, field
        /// A star directly behind a word or phrase belongs to it; this is one that stands alone.
        case star
        case end
    }

    var kind: Kind
    /// Where it begins, and the byte after its last.
    var start: Int
    var end: Int
    /// The text of a word or phrase, without quotes and star.
    var text: [UInt8] = []
    var isPrefix = false
    var field: MatchField?
}
