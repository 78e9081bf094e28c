/// Describes a structural property: its name and type.
public struct EdmProperty: Sendable, Hashable {
    public var name: String
    public var type: EdmTypeReference
    /// The property takes part in optimistic concurrency (`ConcurrencyMode="Fixed"` of versions 1.0 to 3.0).
    public var isConcurrencyToken: Bool
    /// Where a friendly feed moves the value to, with `m:FC_KeepInContent` (versions 2.0 and 3.0).
    public var feedMapping: EdmFeedMapping?

    public init(
        _ name: String, _ type: EdmTypeReference, isConcurrencyToken: Bool = false, feedMapping: EdmFeedMapping? = nil
    ) {
        self.name = name
        self.type = type
        self.isConcurrencyToken = isConcurrencyToken
        self.feedMapping = feedMapping
    }
}

/// Tells where Atom carries a property outside its content (`m:FC_TargetPath` and what belongs to it).
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

/// Describes a navigation property: the entities it leads to. Associations of versions 1.0 to 3.0 are resolved into its
/// type.
public struct EdmNavigationProperty: Sendable, Hashable {
    public var name: String
    public var type: EdmTypeReference
    public var partner: String?
    public var containsTarget: Bool
    /// Pairs of a property here and the property of the related entity that it must equal.
    public var constraints: [Constraint]

    /// Pairs a property with the one of the related entity that it must equal.
    public struct Constraint: Sendable, Hashable {
        public var property: String
        public var referencedProperty: String

        public init(property: String, referencedProperty: String) {
            self.property = property
            self.referencedProperty = referencedProperty
        }
    }

    public init(
        _ name: String, _ type: EdmTypeReference, partner: String? = nil, containsTarget: Bool = false,
        constraints: [Constraint] = []
    ) {
        self.name = name
        self.type = type
        self.partner = partner
        self.containsTarget = containsTarget
        self.constraints = constraints
    }
}
