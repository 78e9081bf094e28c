import Soups

/// A text with its tokens: a whole query, or the part of one that a clause holds. Quotes and parentheses are closed in
/// it.
struct SOQLText {
    /// The bytes that the tokens refer to. A part of a query shares those of the query.
    let bytes: [UInt8]
    /// The tokens; without blanks at either end where the text was trimmed.
    let spans: ArraySlice<SOQLSpan>

    /// The longest text that is read or made, in bytes.
    static let maximumLength = 1 << 20

    /// - Throws: `invalidSOQL` with an offset; `limitExceeded`.
    init(_ text: String) throws(Fault) { try self.init(Array(text.utf8)) }

    init(_ bytes: [UInt8]) throws(Fault) {
        try Self.check(length: bytes.count)
        self.bytes = bytes
        spans = try SOQLLexer.spans(of: bytes)[...]
    }

    private init(bytes: [UInt8], spans: ArraySlice<SOQLSpan>) {
        self.bytes = bytes
        self.spans = spans
    }

    static func check(length: Int) throws(Fault) {
        guard length <= maximumLength else {
            throw Fault(.limitExceeded, "the text has \(length) bytes; a query may have \(maximumLength)")
        }
    }

    var isEmpty: Bool { spans.isEmpty }

    /// The bytes from the first token to the last.
    var content: ArraySlice<UInt8> {
        guard let first = spans.first, let last = spans.last else {
            return []
        }
        return bytes[first.start..<last.end]
    }

    /// The same text without blanks at its ends.
    var trimmed: SOQLText { part(spans) }

    /// Some of the tokens, without blanks at their ends.
    func part(_ spans: ArraySlice<SOQLSpan>) -> SOQLText {
        var part = spans
        if part.first?.kind == .blanks {
            part = part.dropFirst()
        }
        if part.last?.kind == .blanks {
            part = part.dropLast()
        }
        return SOQLText(bytes: bytes, spans: part)
    }

    /// Whether the word is a token of the text, in any case.
    func hasWord(_ word: StaticString) -> Bool { spans.contains { $0.isWord(word, in: bytes) } }
}
