/// Holds a full-text expression as a tree, with the meaning that this project gives it on every full-text module.
///
/// NOT binds tightest, then AND, then OR; terms that merely stand beside each other are joined before any operator, as
/// FTS5 does. Source: guide, Full-Text Query Syntax.
public indirect enum MatchExpression: Sendable, Hashable {
    /// A term or a phrase.
    case phrase(MatchPhrase)
    /// Phrases with at most `distance` other tokens between the first and the last of them.
    case near([MatchPhrase], distance: Int, field: MatchField?)
    /// What all of them find; two or more.
    case all([MatchExpression])
    /// What at least one of them finds; two or more.
    case any([MatchExpression])
    /// What the first finds and the second does not.
    case without(MatchExpression, MatchExpression)
}

/// Holds a term (one word as typed) or a phrase (the text between double quotes). What its tokens are, the tokenizer
/// decides.
public struct MatchPhrase: Sendable, Hashable {
    /// UTF-8, without the quotes and without the star.
    public let text: [UInt8]
    /// Whether the last token may go on: a star stood behind it.
    public let isPrefix: Bool
    /// The column to look in; nil for all of them.
    public let field: MatchField?

    public init(text: [UInt8], isPrefix: Bool = false, field: MatchField? = nil) {
        self.text = text
        self.isPrefix = isPrefix
        self.field = field
    }

    /// Whether there is a letter or a digit in it. Without one there is no token, and it finds nothing.
    var hasToken: Bool {
        String(decoding: text, as: UTF8.self).unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber, .privateUse:
                true
            default: false
            }
        }
    }
}

/// Names a full-text path in an expression: `{soup:path}:`.
public struct MatchField: Sendable, Hashable {
    /// UTF-8, compared byte by byte.
    public let soup: [UInt8]
    public let path: [UInt8]
    /// Where the `{` stands, a byte offset into the match key.
    public let offset: Int

    public init(soup: [UInt8], path: [UInt8], offset: Int) {
        self.soup = soup
        self.path = path
        self.offset = offset
    }

    public static func == (a: MatchField, b: MatchField) -> Bool { a.soup == b.soup && a.path == b.path }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(soup)
        hasher.combine(path)
    }
}

extension MatchExpression: CustomStringConvertible {
    /// The canonical text: every phrase in quotes, every operator written, parentheses around every part that is not a
    /// phrase.
    public var description: String { text(inside: false) }

    private func text(inside: Bool) -> String {
        func joined(_ parts: [MatchExpression], by word: String) -> String {
            parts.map { $0.text(inside: true) }.joined(separator: word)
        }
        let body: String
        switch self {
        case .phrase(let phrase): return phrase.description
        case .near(let phrases, let distance, let field):
            return (field?.description ?? "") + "NEAR(" + phrases.map(\.description).joined(separator: " ")
                + ", \(distance))"
        case .all(let parts): body = joined(parts, by: " AND ")
        case .any(let parts): body = joined(parts, by: " OR ")
        case .without(let kept, let dropped): body = joined([kept, dropped], by: " NOT ")
        }
        return inside ? "(" + body + ")" : body
    }
}

extension MatchPhrase: CustomStringConvertible {
    public var description: String {
        (field?.description ?? "") + String(decoding: quoted, as: UTF8.self) + (isPrefix ? "*" : "")
    }

    /// The text in double quotes, inner ones doubled: no character of it is syntax any more.
    var quoted: [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text {
            if byte == UInt8(ascii: "\"") {
                bytes.append(byte)
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return bytes
    }
}

extension MatchField: CustomStringConvertible {
    public var description: String {
        "{" + String(decoding: soup, as: UTF8.self) + ":" + String(decoding: path, as: UTF8.self) + "}:"
    }
}
