import ServiceTransport
import Soups

/// What a method and a path ask for.
struct MockRoute {
    let call: MockCall
    /// Such as `v66.0`.
    let version: String
    var type: String?
    /// The field of the key, where it is not the id.
    var field: String?
    /// The id, the value of the external id, or the cursor.
    var key: String?

    /// Throws 404 for a path that no call has, and 405 for a method that the path does not have.
    init(method: String, path: String) throws(MockError) {
        guard let parts = Self.parts(of: path), parts.count >= 4, parts[0] == "services", parts[1] == "data",
            Self.isVersion(parts[2])
        else {
            throw .notFound
        }
        version = parts[2]
        var rest = Array(parts[3...])
        // As in `/query/?q=...`, which is how the documentation of the service spells it.
        if rest == ["query", ""] || rest == ["search", ""] {
            rest.removeLast()
        }
        guard !rest.contains("") else {
            throw .notFound
        }
        let calls = Self.calls(rest)
        guard !calls.isEmpty else {
            throw .notFound
        }
        guard let call = calls[method] else {
            throw MockError(
                405, "METHOD_NOT_ALLOWED",
                "HTTP Method '\(method)' not allowed. Allowed are \(calls.keys.sorted().joined(separator: ", "))")
        }
        self.call = call
        switch rest[0] {
        case "sobjects":
            type = rest[1]
            field = rest.count == 4 ? rest[2] : nil
            key = call == .describe || rest.count < 3 ? nil : rest.last
        case "composite":
            type = rest.count > 2 ? rest[2] : nil
            field = rest.count > 3 ? rest[3] : nil
        case "ui-api": type = rest[2]
        default: key = rest.count > 1 ? rest[1] : nil
        }
    }

    /// The calls of a path by their method.
    private static func calls(_ parts: [String]) -> [String: MockCall] {
        switch (parts[0], parts.count) {
        case ("query", 1): ["GET": .query]
        case ("query", 2): ["GET": .queryMore]
        case ("search", 1): ["GET": .search]
        case ("ui-api", 3) where parts[1] == "layout": ["GET": .layout]
        case ("sobjects", 2): ["GET": .recent, "POST": .create]
        case ("sobjects", 3) where parts[2] == "describe": ["GET": .describe]
        case ("sobjects", 3): ["GET": .retrieve, "PATCH": .update, "DELETE": .delete]
        case ("sobjects", 4): ["GET": .retrieve, "PATCH": .upsert]
        case ("composite", 1): ["POST": .composite]
        case ("composite", 2) where parts[1] == "sobjects":
            ["POST": .collectionCreate, "PATCH": .collectionUpdate, "DELETE": .collectionDelete]
        case ("composite", 3) where parts[1] == "sobjects": ["POST": .collectionRetrieve]
        case ("composite", 4) where parts[1] == "sobjects": ["PATCH": .collectionUpsert]
        default: [:]
        }
    }

    /// The decoded parts between the slashes; nil for a path that is not well-formed.
    private static func parts(of path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var parts: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = part.utf8.percentDecoded() else { return nil }
            parts.append(decoded)
        }
        return parts
    }

    /// `v`, digits, a dot, digits.
    private static func isVersion(_ text: String) -> Bool {
        let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return text.hasPrefix("v") && numbers.count == 2
            && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
