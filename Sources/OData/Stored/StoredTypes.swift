package import JSONText
package import Soups

/// Brings values of an entity into the form in which offline OData keeps them, and compares them by value.
package struct StoredTypes: Sendable {
    private let types: ChangeTypes?
    private let entityType: String

    /// - Parameters:
    ///   - model: Nil to leave values as they are, and to compare them as JSON.
    ///   - entityType: The qualified name of the type of the entity.
    package init(model: EdmModel?, version: ODataVersion, entityType: String?) {
        types = entityType == nil ? nil : model.map { ChangeTypes(model: $0, version: version) }
        self.entityType = entityType ?? ""
    }

    /// The value of a property in its stored form.
    ///
    /// - Throws: `unknownProperty`, `typeMismatch` or `invalidLiteral` with the path of the property.
    package func stored(_ value: JSONValue, named name: String) throws(Fault) -> JSONValue {
        guard let types else { return value }
        return try types.value(value, named: name, of: entityType, path: ValuePath(name)).stored
    }

    /// Whether two values of a property are the same by its type: numbers and instants whatever their spelling. Null
    /// and a missing value are the same.
    package func areSame(_ a: JSONValue?, _ b: JSONValue?, named name: String) -> Bool {
        let (a, b) = (a ?? .null, b ?? .null)
        if a == b {
            return true
        }
        guard let types, !a.isNull, !b.isNull,
            let x = try? types.value(a, named: name, of: entityType, path: ValuePath(name)),
            let y = try? types.value(b, named: name, of: entityType, path: ValuePath(name))
        else { return false }
        return x == y
    }
}
