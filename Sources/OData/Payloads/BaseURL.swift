/// The URL to which references are relative. All links of a feed share one object.
public final class BaseURL: Sendable {
    /// The URL as given.
    public let text: String
    private let parts: ReferenceParts

    /// Takes an absolute URL. It is not checked.
    public init(_ text: String) {
        self.text = text
        parts = ReferenceParts(text)
    }

    /// Returns the base URL for an `xml:base` inside this one (XML Base, section 4).
    public func composed(with text: String) -> BaseURL { BaseURL(resolve(text)) }

    /// Resolves a reference; an absolute URL does not change.
    public func resolve(_ reference: String) -> String {
        guard !ReferenceParts.hasScheme(reference) else {
            return reference
        }
        let other = ReferenceParts(reference)
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
