/// The name of a soup and its features. Source: guide, registerSoupWithSpec (7.1).
///
/// ```swift
/// let spec = SoupSpec(name: "scans", features: [.externalStorage])
/// try store.registerSoup(spec, indexSpecs: [.string("title")])
/// ```
public struct SoupSpec: Sendable, Hashable {
    /// The name of the soup. Compared by bytes: two normal forms of `é` are different names.
    public let name: String
    /// The features of the soup, in the given order.
    public let features: [SoupFeature]

    /// Creates a spec. The name is checked when the soup is registered.
    public init(name: String, features: [SoupFeature] = []) {
        self.name = name
        self.features = features
    }

    /// What two specs have in common if they are equal.
    private struct Identity: Hashable {
        let name: ByteKey
        let features: [SoupFeature]
    }

    private var identity: Identity { Identity(name: ByteKey(name), features: features) }

    public static func == (a: SoupSpec, b: SoupSpec) -> Bool { a.identity == b.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
