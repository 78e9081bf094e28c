/// A token of a match expression.
struct MatchToken {
    enum Kind: Equatable {
        case word, phrase, open, close, comma, and, or, not, near, field
        /// One star or several that do not directly follow a word or phrase.
        case star
        case end
    }

    var kind: Kind
    /// The byte offset of the token. `end` is the offset after its last byte.
    var start: Int
    var end: Int
    /// The text of a word or phrase, without quotes and star.
    var text: [UInt8] = []
    var isPrefix = false
    var field: MatchField?
}
