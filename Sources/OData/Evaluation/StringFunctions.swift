/// Functions over text by Unicode scalars, without normalisation. UTF-8 finds scalars by their bytes: no character
/// begins inside another.
enum StringFunctions {
    /// The byte offset of the first occurrence; an empty text occurs at 0.
    static func place(of needle: String, in text: String) -> Int? {
        var needle = needle
        var text = text
        return text.withUTF8 { text in
            needle.withUTF8 { needle in
                guard let first = needle.first else {
                    return 0
                }
                guard needle.count <= text.count else { return nil }
                var place = 0
                while place <= text.count - needle.count {
                    if text[place] == first {
                        var length = 1
                        while length < needle.count, text[place + length] == needle[length] {
                            length += 1
                        }
                        if length == needle.count {
                            return place
                        }
                    }
                    place += 1
                }
                return nil
            }
        }
    }

    /// The zero-based place in scalars, -1 for none.
    static func index(of needle: String, in text: String) -> Int32 {
        guard let place = place(of: needle, in: text) else {
            return -1
        }
        let count = text.utf8.prefix(place).reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
        return Int32(clamping: count)
    }

    /// The text without white space at both ends, as Unicode defines it.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else {
            return ""
        }
        return String(scalars[first...last])
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

/// `round`, `floor` and `ceiling`: the half goes away from zero in all versions (OData URL Conventions 4.01, 5.1.1.9;
/// 1.0 to 3.0 leave it open).
enum Rounding {
    static func value(of function: CanonicalFunction, _ number: ODataValue) -> ODataValue {
        switch number {
        case .decimal(let decimal):
            .decimal(decimal.rounded(function == .floor ? .down : function == .ceiling ? .up : .halfAwayFromZero))
        case .double(let double): .double(double.rounded(rule(function)))
        case .single(let single): .single(single.rounded(rule(function)))
        default: Comparison.integer(number) == nil ? .null : number
        }
    }

    private static func rule(_ function: CanonicalFunction) -> FloatingPointRoundingRule {
        function == .floor ? .down : function == .ceiling ? .up : .toNearestOrAwayFromZero
    }
}
