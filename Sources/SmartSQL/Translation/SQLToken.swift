/// A token of a Smart SQL text. Spaces and comments are not tokens.
struct SQLToken {
    enum Kind: Equatable {
        case word
        /// In double quotes, back quotes or brackets.
        case quotedName
        case string, number, blob
        case parameter
        /// `{soup}` or `{soup:path}`, braces included.
        case reference
        case dot, comma, open, close, semicolon
        case other
        case end
    }

    var kind: Kind
    /// Byte offsets into the text.
    var start: Int
    var end: Int
    /// The keyword of the token, if it is one that the translator needs.
    var keyword: SQLKeyword?

    /// Whether it is a word without quotes that is spelled like this, in any letter case.
    func spells(_ word: String, in text: [UInt8]) -> Bool {
        guard kind == .word, end - start == word.utf8.count else { return false }
        return zip(text[start..<end], word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// Whether it can name a table or a column.
    var isName: Bool { kind == .word || kind == .quotedName || kind == .string }
}
