/// String functions by Unicode scalars, without normalization. They search UTF-8 bytes, because no encoded character
/// starts inside another one.
enum StringFunctions {
    /// The byte offset of the first occurrence; an empty text occurs at 0.
    static func offset(of needle: String, in text: String) -> Int? {
        withBytes(of: text) { TextSearch(needle).first(in: $0) }
    }

    /// The zero-based index in Unicode scalars; -1 if the needle does not occur.
    static func index(of needle: String, in text: String) -> Int32 {
        guard let offset = offset(of: needle, in: text) else {
            return -1
        }
        let count = text.utf8.prefix(offset).reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
        return Int32(clamping: count)
    }

    /// The text in lower case. At the end of a word a sigma has a form of its own.
    ///
    /// Source: The Unicode Standard, section 3.13; SpecialCasing.txt, Final_Sigma.
    static func lowercased(_ text: String) -> String {
        guard text.unicodeScalars.contains(sigma) else {
            return text.lowercased()
        }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            if scalar == sigma, isCased(scalars[..<index].reversed()), !isCased(scalars[(index + 1)...]) {
                result.unicodeScalars.append("\u{3C2}")
            } else {
                result += scalar.properties.lowercaseMapping
            }
        }
        return result
    }

    private static let sigma: Unicode.Scalar = "\u{3A3}"

    /// Whether the first scalar is a cased letter, apart from those that do not count, such as an apostrophe.
    private static func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
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

    /// The offsets of the occurrences that do not overlap; none for an empty needle.
    static func occurrences(of needle: String, in text: String) -> [Int] {
        withBytes(of: text) { TextSearch(needle).all(in: $0) }
    }

    /// Replaces the occurrences at the offsets.
    static func replacing(_ offsets: [Int], of needle: String, by replacement: String, in text: String) -> String {
        guard !offsets.isEmpty else {
            return text
        }
        let length = needle.utf8.count
        let size = text.utf8.count + offsets.count * (replacement.utf8.count - length)
        return withBytes(of: text) { bytes in
            withBytes(of: replacement) { replacement in
                var result: [UInt8] = []
                result.reserveCapacity(size)
                var start = 0
                for offset in offsets {
                    result.append(contentsOf: bytes[start..<offset])
                    result.append(contentsOf: replacement)
                    start = offset + length
                }
                result.append(contentsOf: bytes[start...])
                return String(decoding: result, as: UTF8.self)
            }
        }
    }
}
