/// The first line of a request: method, target and version.
struct RequestLine {
    let method: String
    /// Begins with a slash.
    let path: String
    /// The text after the question mark; nil without one.
    let query: String?
    /// Whether this is HTTP/1.1 and not 1.0.
    let isCurrent: Bool

    init(_ line: [UInt8]) throws(HTTPRefusal) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, HTTPHead.isToken(parts[0]), !parts[1].isEmpty else {
            throw HTTPRefusal(400, "the first line is malformed; send METHOD /path HTTP/1.1")
        }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": isCurrent = true
        case "HTTP/1.0": isCurrent = false
        case let version where version.hasPrefix("HTTP/"):
            throw HTTPRefusal(505, "the version of HTTP is not supported; use HTTP/1.1")
        default: throw HTTPRefusal(400, "the first line is malformed; send METHOD /path HTTP/1.1")
        }
        // Only visible ASCII: everything else is percent-encoded in a URL.
        guard parts[1].allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw HTTPRefusal(400, "the URL has bytes that must be percent-encoded")
        }
        method = String(decoding: parts[0], as: UTF8.self)
        let target = Self.withoutAuthority(parts[1])
        guard target.first == UInt8(ascii: "/") else {
            throw HTTPRefusal(400, "the URL does not begin with a slash")
        }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        path = String(decoding: target[..<(mark ?? target.endIndex)], as: UTF8.self)
        query = mark.map { String(decoding: target[($0 + 1)...], as: UTF8.self) }
    }

    /// A client may send `http://127.0.0.1:8080/path`.
    private static func withoutAuthority(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let scheme = Array("http://".utf8)
        guard target.prefix(scheme.count).map({ $0 | 0x20 }).elementsEqual(scheme.map { $0 | 0x20 }) else {
            return target
        }
        let rest = target.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else {
            return ArraySlice("/".utf8)
        }
        return rest[slash...]
    }
}
