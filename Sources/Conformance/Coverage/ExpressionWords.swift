/// Finds operators and functions in OData texts, roughly: a word between other characters.
enum ExpressionWords {
    /// The operators of OData that are words.
    static let operators = [
        "eq", "ne", "gt", "ge", "lt", "le", "and", "or", "not", "add", "sub", "mul", "div", "divby", "mod", "has", "in",
        "any", "all", "isof", "cast", "case",
    ]

    static func words(in text: String) -> Set<String> {
        var words: Set<String> = []
        for part in text.utf8.split(whereSeparator: { !isPartOfWord($0) }) {
            words.insert(String(decoding: part, as: UTF8.self))
        }
        return words
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
