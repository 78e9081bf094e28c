import ServiceTransport

/// The bytes of requests and answers in HTTP/1.1.
enum HTTPWriter {
    /// Headers that belong to a connection and not to an answer or a request.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection", "keep-alive"]

    /// An answer. A status that no answer can have becomes 500, and control characters in headers become blanks.
    static func bytes(
        of response: ServiceResponse, toMethod method: String, keepsConnection: Bool, bodyBytes: Int? = nil
    ) -> [UInt8] {
        let status = (200...599).contains(response.status) ? response.status : 500
        var head = "HTTP/1.1 \(status) \(reasons[status] ?? "Status")\r\n" + fields(response.headers)
        let hasBody = status != 204 && status != 304
        if hasBody {
            head += "Content-Length: \(response.body.count)\r\n"
        }
        head += "Connection: \(keepsConnection ? "keep-alive" : "close")\r\n\r\n"
        var bytes = Array(head.utf8)
        if hasBody, method != "HEAD" {
            bytes += response.body.prefix(bodyBytes ?? response.body.count)
        }
        return bytes
    }

    /// A request; nil if it cannot be written: a method, target or header would be read as something else.
    static func bytes(of request: ServiceRequest, host: String) -> [UInt8]? {
        let target = request.target
        guard HTTPHead.isToken(request.method.utf8), target.utf8.first == UInt8(ascii: "/"),
            target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            request.headers.allSatisfy({ HTTPHead.isToken($0.name.utf8) && !hasControls($0.value) })
        else { return nil }
        var head = "\(request.method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        head += fields(request.headers.filter { $0.name.lowercased() != "host" })
        if let body = request.body {
            head += "Content-Length: \(body.count)\r\n"
        }
        head += "Connection: close\r\n\r\n"
        return Array(head.utf8) + (request.body ?? [])
    }

    private static func fields(_ headers: [Pair]) -> String {
        headers.filter { HTTPHead.isToken($0.name.utf8) && !framing.contains($0.name.lowercased()) }
            .map { "\($0.name): \(withoutControls($0.value))\r\n" }.joined()
    }

    private static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    private static func withoutControls(_ text: String) -> String {
        guard hasControls(text) else { return text }
        return String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }

    private static let reasons: [Int: String] = [
        200: "OK", 201: "Created", 204: "No Content", 300: "Multiple Choices", 304: "Not Modified", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        413: "Content Too Large", 414: "URI Too Long", 417: "Expectation Failed", 421: "Misdirected Request",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
