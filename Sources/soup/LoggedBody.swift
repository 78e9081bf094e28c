import JSONText

/// A body in the log of `soup mock`, without the credentials that the parts of a batch have in headers of their own.
enum LoggedBody {
    /// Whether a header holds credentials.
    static func isSecret(_ header: some StringProtocol) -> Bool { secret.contains(header.lowercased()) }

    private static let secret: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    private static let hidden = "..."

    /// The value of a header as it is logged.
    static func value(_ value: String, of header: String) -> String { isSecret(header) ? hidden : value }

    /// A body as JSON, or as text if it is not.
    static func json(_ bytes: [UInt8]) -> JSONValue {
        guard let json = try? JSONValue(parsing: bytes) else {
            return .string(text(bytes))
        }
        guard var batch = json.object, let requests = batch["requests"]?.array else {
            return json
        }
        batch["requests"] = .array(requests.map(part))
        return .object(batch)
    }

    private static func part(_ request: JSONValue) -> JSONValue {
        guard var part = request.object, let headers = part["headers"]?.object else {
            return request
        }
        part["headers"] = .object(
            JSONObject(headers.members.map { ($0.name, isSecret($0.name) ? .string(hidden) : $0.value) }))
        return .object(part)
    }

    /// The text with the values of such headers hidden, line by line.
    private static func text(_ bytes: [UInt8]) -> String {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            guard line.contains(UInt8(ascii: ":")), isSecret(name) else {
                return String(decoding: line, as: UTF8.self)
            }
            return "\(name): \(hidden)" + (line.last == UInt8(ascii: "\r") ? "\r" : "")
        }
        return lines.joined(separator: "\n")
    }
}
