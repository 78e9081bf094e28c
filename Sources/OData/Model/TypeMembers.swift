import Soups

/// The members of a structured type and of its base types, for many searches without looking for the type again.
struct TypeMembers {
    private let types: StructuredTypes
    private let position: Int?
    /// Whether an entity also has the members of rows of a store.
    private let describesRows: Bool

    init(of type: String, in model: EdmModel) {
        types = model.types
        position = model.position(of: type)
        describesRows = model.describesRows
    }

    /// Whether the type is in the model.
    var isKnown: Bool { position != nil }

    /// Whether instances may have properties that are not declared.
    var isOpen: Bool { types.chain(from: position).contains { types.entries[$0].isOpen } }

    /// The structural property with a name, declared or inherited.
    func property(_ name: String) -> EdmProperty? {
        for position in types.chain(from: position) {
            if let found = types.entries[position].property(name) {
                return found
            }
        }
        return rowMember(name)
    }

    /// The navigation property with a name, declared or inherited.
    func navigation(_ name: String) -> EdmNavigationProperty? {
        for position in types.chain(from: position) {
            if let found = types.entries[position].navigation(name) {
                return found
            }
        }
        return nil
    }

    /// The type of the structural or navigation property with a name, declared or inherited.
    ///
    /// - Parameter position: Where the property may be among those that the type itself declares. It is looked at
    ///   first.
    func type(of name: String, near position: Int? = nil) -> EdmTypeReference? {
        if let position, let entry = self.position.map({ types.entries[$0] }),
            entry.type.properties.indices.contains(position), entry.type.properties[position].name.hasBytes(of: name)
        {
            return entry.type.properties[position].type
        }
        for position in types.chain(from: self.position) {
            if let found = types.entries[position].memberType(name) {
                return found
            }
        }
        return rowMember(name)?.type
    }

    /// The member of a row of a store that all entity types have where the model describes rows.
    private func rowMember(_ name: String) -> EdmProperty? {
        guard describesRows, let position, types.entries[position].type.kind == .entity else { return nil }
        return StoredRowMember.property(name)
    }
}
