import Soups

/// How the text of query options is written.
enum OptionTextForm {
    /// As it is after decoding.
    case decoded
    /// For a URL: names and values are percent-encoded, and what separates options and items stays as it is.
    case encoded

    /// The name of an option. A name of an app may hold anything.
    func name(_ text: String) -> String {
        switch self {
        case .decoded: text
        case .encoded:
            text.percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "@") }
        }
    }

    /// The value of an option, or a path in it.
    func value(_ text: String) -> String {
        switch self {
        case .decoded: text
        case .encoded: PercentEncoding.encode(text, for: .queryValue)
        }
    }

    /// The value of `$search`, or of `$apply`, which may hold a search. A plain semicolon would end it, also where it is
    /// in the options of an item.
    func search(_ text: String) -> String {
        switch self {
        case .decoded: text
        case .encoded:
            value(text).split(separator: ";", omittingEmptySubsequences: false).joined(separator: "%3B")
        }
    }
}
