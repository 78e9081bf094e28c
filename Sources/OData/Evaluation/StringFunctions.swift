/// String functions by Unicode scalars, without normalization. They search UTF-8 bytes, because no encoded character
/// starts inside another one.
enum StringFunctions {
    /// The byte offset of the first occurrence; an empty text occurs at 0.
    static func offset(of needle: String, in text: String) -> Int? {
        var needle = needle
        var text = text
        return text.withUTF8 { text in
            needle.withUTF8 { needle in
                guard let first = needle.first else {
                    return 0
                }
                guard needle.count <= text.count else { return nil }
                var offset = 0
                while offset <= text.count - needle.count {
                    if text[offset] == first {
                        var length = 1
                        while length < needle.count, text[offset + length] == needle[length] {
                            length += 1
                        }
                        if length == needle.count {
                            return offset
                        }
                    }
                    offset += 1
                }
                return nil
            }
        }
    }

    /// The zero-based index in Unicode scalars; -1 if the needle does not occur.
    static func index(of needle: String, in text: String) -> Int32 {
        guard let offset = offset(of: needle, in: text) else {
            return -1
        }
        let count = text.utf8.prefix(offset).reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
        return Int32(clamping: count)
    }

    /// The text without leading and trailing Unicode white space.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else {
            return ""
        }
        return String(scalars[first...last])
    }

    /// The number of occurrences that do not overlap; 0 for an empty needle.
    static func occurrences(of needle: String, in text: String) -> Int {
        guard !needle.isEmpty else {
            return 0
        }
        var count = 0
        var rest = Array(text.utf8)[...]
        let pattern = Array(needle.utf8)
        while let first = rest.first {
            if first == pattern[0], rest.starts(with: pattern) {
                count += 1
                rest = rest.dropFirst(pattern.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return count
    }

    /// Replaces every occurrence, from the start on; an empty needle changes nothing.
    static func replacing(_ needle: String, by replacement: String, in text: String) -> String {
        guard !needle.isEmpty else {
            return text
        }
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        let pattern = Array(needle.utf8)
        while let first = rest.first {
            if first == pattern[0], rest.starts(with: pattern) {
                result.append(contentsOf: replacement.utf8)
                rest = rest.dropFirst(pattern.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
