package import JSONText
import Soups

/// The key at the end of the URL of an entity, such as `Items(7)`.
package struct KeyPredicate: Sendable {
    /// The name before the parenthesis, decoded.
    package let set: String
    /// A single value, or an object with the named parts.
    package let key: JSONValue

    /// Reads the last segment of a URL, or the one before a type at its end; nil if it is not a name with a key.
    package init?(url: String, version: ODataVersion) {
        let segment = Self.segment(of: url)
        guard let last = (try? ODataURL(parsing: segment, version: version))?.resource.last, last.kind == .name,
            let arguments = last.arguments, !arguments.isEmpty
        else { return nil }
        var parts: [(String, JSONValue)] = []
        for argument in arguments {
            let expression = argument.value
            let kind = expression.nodes[expression.root].kind
            guard kind == .literal || kind == .null else { return nil }
            parts.append((argument.name ?? "", expression.value(of: expression.root).stored))
        }
        set = last.name
        if arguments.count == 1, arguments[0].name == nil {
            key = parts[0].1
        } else {
            key = .object(JSONObject(parts))
        }
    }

    /// The last segment that is not the name of a type. Edit links of entities of derived types end with one.
    private static func segment(of url: String) -> String {
        let (segment, before) = lastSegment(of: url)
        guard segment.utf8.contains(UInt8(ascii: ".")), !segment.utf8.contains(UInt8(ascii: "(")), !before.isEmpty
        else { return segment }
        return lastSegment(of: before).segment
    }

    /// What follows the last slash outside quotes, without query and fragment, and what comes before the slash.
    private static func lastSegment(of url: String) -> (segment: String, before: String) {
        let bytes = Array(url.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        var isQuoted = false
        var start = 0
        for index in 0..<end {
            if bytes[index] == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if bytes[index] == UInt8(ascii: "/"), !isQuoted {
                start = index + 1
            }
        }
        return (
            String(decoding: bytes[start..<end], as: UTF8.self),
            String(decoding: bytes[..<max(0, start - 1)], as: UTF8.self)
        )
    }
}
