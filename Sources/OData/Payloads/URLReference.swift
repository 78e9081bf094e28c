/// A URL as written in a payload, with its base URL. It is resolved on access.
public struct URLReference: Sendable {
    /// The reference as written.
    public let text: String
    let base: BaseURL?

    /// Creates a reference, relative to a base URL if one is given.
    public init(_ text: String, base: BaseURL? = nil) {
        self.text = text
        self.base = base
    }

    /// The absolute URL, or the reference as written if there is no base URL (RFC 3986, section 5.2). O(n) in its
    /// length.
    public var resolved: String { base.map { $0.resolve(text) } ?? text }
}
