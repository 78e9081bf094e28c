/// A term (one word as typed) or a phrase (the text between double quotes). The tokenizer of the database splits it
/// into tokens.
public struct MatchPhrase: Sendable, Hashable {
    /// UTF-8, without the quotes and without the star.
    public let text: [UInt8]
    /// Whether the last token is a prefix, because a star follows it.
    public let isPrefix: Bool
    /// The path to search in; nil for all paths.
    public let field: MatchField?

    public init(text: [UInt8], isPrefix: Bool = false, field: MatchField? = nil) {
        self.text = text
        self.isPrefix = isPrefix
        self.field = field
    }

    /// Whether the text contains a letter or a digit. Otherwise it has no token and matches nothing.
    ///
    /// The tokenizer of FTS5 has the tables of Unicode 6.1, and takes what these do not have for letters.
    /// Source: https://sqlite.org/fts5.html#unicode61_tokenizer.
    var hasToken: Bool {
        String(decoding: text, as: UTF8.self).unicodeScalars.contains { scalar in
            guard let age = scalar.properties.age, (age.major, age.minor) <= (6, 1) else { return true }
            return switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber, .privateUse, .unassigned:
                true
            default: false
            }
        }
    }
}

extension MatchPhrase: CustomStringConvertible {
    public var description: String {
        (field?.description ?? "") + String(decoding: quoted, as: UTF8.self) + (isPrefix ? "*" : "")
    }

    /// The text in double quotes, with inner quotes doubled, so that none of its characters is syntax.
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
