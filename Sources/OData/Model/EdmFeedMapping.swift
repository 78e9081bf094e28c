/// The Atom element or attribute that has the value of a property outside the content (`m:FC_TargetPath` and related
/// attributes).
public struct EdmFeedMapping: Sendable, Hashable {
    public var targetPath: String
    public var sourcePath: String?
    public var keepInContent: Bool
    public var namespace: String?

    public init(targetPath: String, sourcePath: String? = nil, keepInContent: Bool = true, namespace: String? = nil) {
        self.targetPath = targetPath
        self.sourcePath = sourcePath
        self.keepInContent = keepInContent
        self.namespace = namespace
    }
}
