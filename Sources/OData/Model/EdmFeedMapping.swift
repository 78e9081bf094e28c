/// The Atom element or attribute that has the value of a property outside the content (`m:FC_TargetPath` and related
/// attributes).
public struct EdmFeedMapping: Sendable, Hashable {
    /// The element or attribute that has the value, such as `SyndicationTitle`.
    public var targetPath: String
    /// The path inside a complex property; nil for the property itself.
    public var sourcePath: String?
    /// Whether the value is in the content too.
    public var keepInContent: Bool
    /// The namespace of a custom target; nil for an element of Atom.
    public var namespace: String?

    /// Creates a mapping of a property.
    public init(targetPath: String, sourcePath: String? = nil, keepInContent: Bool = true, namespace: String? = nil) {
        self.targetPath = targetPath
        self.sourcePath = sourcePath
        self.keepInContent = keepInContent
        self.namespace = namespace
    }
}
