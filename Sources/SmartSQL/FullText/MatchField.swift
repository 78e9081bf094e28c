/// A full-text path in an expression: `{soup:path}:`.
public struct MatchField: Sendable, Hashable {
    /// UTF-8, compared byte by byte.
    public let soup: [UInt8]
    public let path: [UInt8]
    /// The byte offset of the `{` in the match key.
    public let offset: Int

    public init(soup: [UInt8], path: [UInt8], offset: Int) {
        self.soup = soup
        self.path = path
        self.offset = offset
    }

    public static func == (a: MatchField, b: MatchField) -> Bool { a.soup == b.soup && a.path == b.path }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(soup)
        hasher.combine(path)
    }
}

extension MatchField: CustomStringConvertible {
    public var description: String {
        "{" + String(decoding: soup, as: UTF8.self) + ":" + String(decoding: path, as: UTF8.self) + "}:"
    }
}
