/// Holds a URL as a payload writes it, with the base that it is relative to; resolved only when asked for.
public struct URLReference: Sendable {
    /// The reference as written.
    public let text: String
    let base: BaseURL?

    public init(_ text: String, base: BaseURL? = nil) {
        self.text = text
        self.base = base
    }

    /// The absolute URL where there is a base, else the reference as written (RFC 3986, section 5.2). O(length).
    public var resolved: String { base.map { $0.resolve(text) } ?? text }
}

/// Holds the URL that references are relative to. One object for all the links of a feed.
public final class BaseURL: Sendable {
    public let text: String
    private let parts: ReferenceParts

    public init(_ text: String) {
        self.text = text
        parts = ReferenceParts(text)
    }

    /// Makes the base inside this one: `xml:base` values compose (XML Base, section 4).
    public func composed(with text: String) -> BaseURL { BaseURL(resolve(text)) }

    /// Resolves a reference; one with a scheme of its own stays as it is.
    public func resolve(_ reference: String) -> String {
        let other = ReferenceParts(reference)
        guard other.scheme == nil else {
            return reference
        }
        var result = ReferenceParts("")
        result.scheme = parts.scheme
        result.fragment = other.fragment
        if other.authority != nil {
            result.authority = other.authority
            result.path = ReferenceParts.withoutDots(other.path)
            result.query = other.query
            return result.text
        }
        result.authority = parts.authority
        if other.path.isEmpty {
            result.path = parts.path
            result.query = other.query ?? parts.query
        } else {
            result.query = other.query
            result.path = ReferenceParts.withoutDots(
                other.path.utf8.first == UInt8(ascii: "/") ? other.path : merged(other.path))
        }
        return result.text
    }

    private func merged(_ path: String) -> String {
        if parts.authority != nil, parts.path.isEmpty {
            return "/" + path
        }
        guard let slash = parts.path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return path
        }
        return String(parts.path[...slash]) + path
    }
}

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

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// Takes the segments `.` and `..` out of a path (RFC 3986, section 5.2.4).
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
