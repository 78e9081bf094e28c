public import Soups

/// A top-level token of a SOQL text. What is in parentheses or quotes is one token.
///
/// ```swift
/// let tokens = try SOQLToken.tokens(of: "Id in (select Id from Account) order  by Name")
/// let texts = tokens.map(\.text)  // Id, in, (select Id from Account), order by, Name, and blanks
/// ```
public struct SOQLToken: Sendable, Hashable {
    /// The kind of a token.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A run of blanks, tabs, line feeds, carriage returns and form feeds.
        case blanks
        /// A literal between single quotes. A backslash takes the next character with it.
        case quoted
        /// Everything from a parenthesis to the one that closes it.
        case group
        /// A run of anything else.
        case word
        /// The two words `order by`, in any case. Its text has one blank between them.
        case orderBy
        /// The two words `group by`, in any case. Its text has one blank between them.
        case groupBy
    }

    /// The kind of the token.
    public let kind: Kind
    /// The text of the token, as it was written; never empty.
    public let text: String
    /// The byte offset of the token in the UTF-8 of the whole text.
    public let offset: Int

    /// Splits a text into its tokens. Apart from blanks within `order by` and `group by`, their texts joined are the
    /// text.
    ///
    /// Takes time linear in the length of the text. Throws `invalidSOQL` with the offset of an open quote, of an open
    /// group's first parenthesis, or of a closing parenthesis alone; `limitExceeded` for a text longer than 1 MiB.
    public static func tokens(of text: String) throws(Fault) -> [SOQLToken] {
        let text = try SOQLText(text)
        return text.spans.map { SOQLToken($0, of: text.bytes) }
    }

    private init(_ span: SOQLSpan, of bytes: [UInt8]) {
        kind = span.kind
        offset = span.start
        switch span.kind {
        case .blanks, .quoted, .group, .word:
            text = String(decoding: bytes[span.range], as: UTF8.self)
        case .orderBy, .groupBy:
            let first = bytes[span.range].prefix { !SOQLBytes.isBlank($0) }
            text = String(decoding: first + [UInt8(ascii: " ")] + bytes[span.range].suffix(2), as: UTF8.self)
        }
    }
}
