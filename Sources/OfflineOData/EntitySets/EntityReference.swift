import JSONText

/// A foreign key: properties of the dependent entity that name the principal one.
public struct EntityReference: Sendable, Hashable {
    /// The entity set whose entities have the foreign key.
    public let dependent: String
    /// The properties of the foreign key; names of a path are joined by a dot.
    public let foreignKey: [String]
    /// The entity set of the entities that are named.
    public let principal: String
    /// The properties of the principal entity that the foreign key equals, in the same order.
    public let principalKey: [String]
    /// The navigation property of the dependent entity; nil if it has none.
    public let navigation: String?
    /// The navigation property of the principal entity; nil if it has none.
    public let inverse: String?
    /// Whether the inverse leads to many entities.
    public let isCollection: Bool
    /// Whether the foreign key must not be null.
    public let isRequired: Bool
    /// Whether the service deletes the dependents with their principal.
    public let cascades: Bool
    /// The types whose entities have the foreign key; nil for all of the set.
    let owners: RowTypes?

    /// Whether the entity of a row has the foreign key. A row of another type may have a property of that name.
    func isOwned(by row: JSONObject) -> Bool { owners?.contains(row) ?? true }
}
