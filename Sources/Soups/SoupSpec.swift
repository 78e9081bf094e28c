/// The name of a soup and its features. Source: guide, registerSoupWithSpec (7.1).
public struct SoupSpec: Sendable, Hashable {
    public let name: String
    public let features: [SoupFeature]

    public init(name: String, features: [SoupFeature] = []) {
        self.name = name
        self.features = features
    }

    public static func == (a: SoupSpec, b: SoupSpec) -> Bool {
        ByteKey(a.name) == ByteKey(b.name) && a.features == b.features
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteKey(name))
        hasher.combine(features)
    }
}
