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
