/// A field of the records of one type.
public struct MockField: Sendable, Hashable {
    /// What a field holds.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A text, compared without case.
        case text
        /// A number.
        case number
        /// True or false.
        case boolean
        /// A date with time and offset.
        case date
        /// The id of a record of another type.
        case reference
        /// The id of the record itself.
        case id
    }

    /// The name, compared without case in ASCII.
    public var name: String
    /// What messages call the field.
    public var label: String
    /// What it holds.
    public var kind: Kind
    /// The greatest number of characters of a text; nil for any.
    public var length: Int?
    /// Whether a record without a value is refused.
    public var isRequired: Bool
    /// Whether two records may not have the same value.
    public var isUnique: Bool
    /// Whether records can be found and upserted by the field.
    public var isExternalId: Bool
    /// The type to which a reference leads.
    public var target: String?
    /// What queries over that type call the records that refer to one: `Contacts`.
    public var plural: String?
    /// Whether only the service sets it.
    public internal(set) var isReadOnly = false

    /// Creates a field.
    public init(
        _ name: String, label: String? = nil, kind: Kind = .text, length: Int? = nil, isRequired: Bool = false,
        isUnique: Bool = false, isExternalId: Bool = false, target: String? = nil, plural: String? = nil
    ) {
        self.name = name
        self.label = label ?? name
        self.kind = kind
        self.length = length
        self.isRequired = isRequired
        self.isUnique = isUnique
        self.isExternalId = isExternalId
        self.target = target
        self.plural = plural
    }

    static func readOnly(_ name: String, _ kind: Kind) -> MockField {
        var field = MockField(name, kind: kind)
        field.isReadOnly = true
        return field
    }
}
