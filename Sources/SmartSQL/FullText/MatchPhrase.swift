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
