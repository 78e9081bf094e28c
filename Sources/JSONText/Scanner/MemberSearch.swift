/// Looks for a member with a number in a text without reading it.
package struct MemberSearch: Sendable {
    private let name: [UInt8]
    /// The colon and the digits.
    private let value: [UInt8]

    /// Prepares a search. Nil for a name with anything but letters of ASCII, digits and underscores. Whatever is
    /// between two strings of a text has a comma or a colon, so that such a name in quotation marks is always a string.
    package init?(_ name: String, writtenAs digits: [UInt8]) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isPlain) else { return nil }
        self.name = Array(name.utf8)
        value = [UInt8(ascii: ":")] + digits
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether the name is written once in a valid JSON text, as that of a member with this number, and nothing in the
    /// text is escaped. Whichever object has a member of the name then has this one. O(n) in the length of the text.
    package func isOnlyMember(in text: UnsafeRawBufferPointer) -> Bool {
        name.withUnsafeBytes { name in
            value.withUnsafeBytes { value in
                var isFound = false
                let hasOther = UnescapedSearch.stops(in: text, at: name) { start in
                    let end = start + name.count
                    guard Self.isMark(start - 1, in: text), Self.isMark(end, in: text) else { return false }
                    guard !isFound, UnescapedSearch.isAt(end + 1, value, in: text) else { return true }
                    isFound = true
                    return !Self.isEnd(end + 1 + value.count, in: text)
                }
                return isFound && !hasOther
            }
        }
    }

    private static func isMark(_ index: Int, in text: UnsafeRawBufferPointer) -> Bool {
        text.indices.contains(index) && text[index] == UInt8(ascii: "\"")
    }

    /// Whether a number ends at an index.
    private static func isEnd(_ index: Int, in text: UnsafeRawBufferPointer) -> Bool {
        guard index < text.count else { return false }
        return text[index] == UInt8(ascii: ",") || text[index] == UInt8(ascii: "}")
    }
}
