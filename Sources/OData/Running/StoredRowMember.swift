import Soups

/// The members that every row of a store may have next to the properties of its entity.
///
/// Options may name them in filters and orders; they are kept whatever is selected, after the properties.
enum StoredRowMember {
    /// The member with what a service says about the entity of the row.
    static let control = "__odata__"

    private static let properties: [EdmProperty] = [
        ("_soupEntryId", "Edm.Int64"), ("_soupLastModifiedDate", "Edm.Int64"), ("__local__", "Edm.Boolean"),
        ("__locally_created__", "Edm.Boolean"), ("__locally_updated__", "Edm.Boolean"),
        ("__locally_deleted__", "Edm.Boolean"), ("__key__", "Edm.String"), ("__last_error__", "Edm.String"),
        (control, "Edm.Untyped"), ("__conflict__", "Edm.Untyped"),
    ]
    .map { EdmProperty($0.0, EdmTypeReference(text: $0.1)) }

    /// Whether a name is that of such a member.
    static func isNamed(_ name: String) -> Bool { property(name) != nil }

    /// The member as a property; nil for other names.
    static func property(_ name: String) -> EdmProperty? {
        guard name.utf8.first == UInt8(ascii: "_") else { return nil }
        return properties.first { $0.name.hasBytes(of: name) }
    }

    /// The type that the control information of a row states; nil without one.
    static func statedType(of row: some EntityNode) -> String? {
        guard case .text(let stated)? = row.member(control)?.member("type")?.content else { return nil }
        return stated
    }
}
