import Soups

/// The navigation properties that a context URL lists as expanded: names before a parenthesis or a plus sign inside the
/// list of selected properties.
struct ExpandedNames {
    /// Those of entities at any level.
    private(set) var all: Set<ByteKey> = []
    /// Those of the outermost entities themselves.
    private(set) var outermost: Set<ByteKey> = []

    var isEmpty: Bool { all.isEmpty }

    init() {}

    init(_ context: String) {
        guard let hash = context.utf8.firstIndex(of: UInt8(ascii: "#")), context.utf8.contains(UInt8(ascii: "(")) else {
            return
        }
        var word: [UInt8] = []
        var depth = 0
        var isInsideValue = false
        var isInsideText = false
        for byte in context.utf8[context.utf8.index(after: hash)...] {
            // The text of a key may have any characters.
            guard !isInsideText || byte == UInt8(ascii: "'") else { continue }
            switch byte {
            // A plus sign follows the name of a relation that is expanded recursively.
            case UInt8(ascii: "("), UInt8(ascii: "+"):
                if depth > 0, !word.isEmpty {
                    let name = ByteKey(JSONContext.decodedName(word))
                    all.insert(name)
                    if depth == 1, !isInsideValue {
                        outermost.insert(name)
                    }
                }
                if byte == UInt8(ascii: "(") {
                    depth += 1
                }
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "'"): isInsideText.toggle()
            case UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "="): break
            // Some services write a blank after a comma.
            case UInt8(ascii: " "): continue
            default:
                word.append(byte)
                continue
            }
            word = []
            // The name after a slash is that of a complex value, or of an instance of a derived type.
            isInsideValue = byte == UInt8(ascii: "/")
        }
    }
}
