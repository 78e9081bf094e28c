import OData
import ServiceTransport
import Soups

/// The URL of a service: makes requests of its URLs, and follows no link to another host.
struct ServiceRoot: Sendable {
    /// The URL with a slash at its end.
    let text: String
    private let origin: Origin?

    init(_ text: String) throws(Fault) {
        let whole = text.hasSuffix("/") ? text : text + "/"
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !text.contains("?"), !text.contains("#") else {
            throw Fault(.invalidArguments, "the service root must be a URL without query, fragment and blanks")
        }
        let parts = Self.parts(of: whole)
        guard parts.origin != nil || text.hasPrefix("/") else {
            throw Fault(
                .invalidArguments, "the service root must be an absolute URL, or a path that begins with a slash")
        }
        self.text = whole
        origin = parts.origin
    }

    /// The path of the service root.
    var path: String { Self.parts(of: text).path }

    /// The path and query of a URL of the service; links relative to the root are resolved.
    ///
    /// - Throws: `foreignLink` if it leads to another host, `malformedAnswer` if it is not a URL.
    func target(of link: String) throws(Fault) -> (path: String, query: String?) {
        let url = BaseURL(text).resolve(link)
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw Fault(.malformedAnswer, "a link of the service has a blank or a control character")
        }
        let parts = Self.parts(of: url)
        guard parts.origin == origin, parts.path.hasPrefix("/"), !parts.path.hasPrefix("//") else {
            throw Fault(.foreignLink, "a link of the service leads to another host; it is not followed")
        }
        return (parts.path, parts.query)
    }

    /// The absolute URL of a path and query.
    func url(path: String, query: String?) -> String {
        (origin?.text ?? "") + path + (query.map { "?" + $0 } ?? "")
    }

    private struct Origin: Sendable, Hashable {
        let scheme: String
        let host: String
        let port: String
        var text: String { scheme + "://" + host + (port.isEmpty ? "" : ":" + port) }
    }

    private static func parts(of url: String) -> (origin: Origin?, path: String, query: String?) {
        var rest = Substring(url)
        if let hash = rest.firstIndex(of: "#") {
            rest = rest[..<hash]
        }
        var query: String?
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        guard let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") else {
            return (nil, String(rest), query)
        }
        let scheme = rest[..<colon].lowercased()
        rest = rest[rest.index(colon, offsetBy: 3)...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        return (origin(scheme, String(rest[..<slash])), slash == rest.endIndex ? "/" : String(rest[slash...]), query)
    }

    /// The host in lower case, and the port unless it is that of the scheme. A name in front of the host stays a part
    /// of it, so that such a link is foreign.
    private static func origin(_ scheme: String, _ authority: String) -> Origin {
        var host = authority.lowercased()
        var port = ""
        if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) {
            port = String(host[host.index(after: colon)...])
            host = String(host[..<colon])
        }
        let isDefault = scheme == "http" && port == "80" || scheme == "https" && port == "443"
        return Origin(scheme: scheme, host: host, port: isDefault ? "" : port)
    }
}
