/// The five parts of a URL, undecoded (RFC 3986, appendix B).
struct ReferenceParts {
    var scheme: String?
    var authority: String?
    var path = ""
    var query: String?
    var fragment: String?

    init(_ text: String) {
        var rest = Substring(text)
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(rest[rest.utf8.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[rest.utf8.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = String(rest[..<colon])
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
            let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[start..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// Whether a URL is absolute. O(n) in the length of its scheme.
    static func hasScheme(_ text: String) -> Bool {
        guard let end = text.utf8.firstIndex(where: { !isOfScheme($0) }) else { return false }
        return text.utf8[end] == UInt8(ascii: ":") && isScheme(text[..<end])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
            return false
        }
        return text.utf8.allSatisfy(isOfScheme)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// Removes the segments `.` and `..` from a path (RFC 3986, section 5.2.4).
    static func withoutDots(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else {
            return path
        }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [Substring.UTF8View] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual(".".utf8) {
                if isLast {
                    kept.append(""[...].utf8)
                }
            } else if segment.elementsEqual("..".utf8) {
                if kept.count > 1 || (kept.count == 1 && !kept[0].isEmpty) {
                    kept.removeLast()
                }
                if isLast {
                    kept.append(""[...].utf8)
                }
            } else {
                kept.append(segment)
            }
        }
        return kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}
