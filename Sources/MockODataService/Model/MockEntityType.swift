/// A property of an entity type, as the metadata declare it.
struct MockProperty: Sendable {
    var name: String
    /// Such as `Edm.Int32`, without `Collection()`.
    var type: String
    var isCollection = false
    var isNullable = true
    var maxLength: Int?
    /// Whether the service gives it its value.
    var isComputed = false
}

/// A navigation property, and how it is found.
struct MockNavigation: Sendable {
    var name: String
    /// The qualified name of the type that it leads to.
    var type: String
    var isCollection: Bool
    /// The properties of this entity and those of the other one that are equal; none for links that are kept apart.
    var pairs: [(local: String, foreign: String)] = []
    /// Whether the reference is in this entity.
    var isDependent = false
    /// Whether the entities that it leads to are deleted with this one.
    var cascades = false
    var partner: String?
    /// The association of versions before 4, and the role that it leads to.
    var association: String?
    var toRole: String?
}

/// An entity type, with what it has of its base type.
struct MockEntityType: Sendable {
    var name: String
    var base: String?
    var key: [String] = []
    var properties: [MockProperty] = []
    var navigations: [MockNavigation] = []

    func property(_ name: String) -> MockProperty? { properties.first { $0.name == name } }
    func navigation(_ name: String) -> MockNavigation? { navigations.first { $0.name == name } }
}

/// An entity set.
struct MockEntitySet: Sendable {
    var name: String
    var type: String
    /// The sets that navigation properties lead to.
    var bindings: [String: String] = [:]
}
