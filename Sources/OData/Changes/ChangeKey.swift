import JSONText
import Soups

/// Writes the key of an entity for a URL: `(1)`, `('a')`, `(A=1,B='x')`.
///
/// With a declared key the text is canonical: the parts have the order of the declaration, and a single one has no
/// name.
struct ChangeKey {
    let key: JSONValue
    let version: ODataVersion
    let typing: ODataChangeRequest.Typing?

    /// The key with its parentheses. O(n) in its length.
    ///
    /// Throws `invalidArguments` if it is missing, has not the parts of the declared key or one of them twice,
    /// `typeMismatch` or `invalidLiteral` for a value that does not fit its declared type.
    func text() throws(Fault) -> String {
        let declared = typing.map { $0.types.model.key(of: $0.entityType) } ?? []
        let members = typing.map { TypeMembers(of: $0.entityType, in: $0.types.model) }
        guard let parts = key.object else {
            try checkCount(1, of: declared)
            return "(" + (try literal(key, of: declared.first, members, at: 0)) + ")"
        }
        guard !parts.isEmpty else {
            throw Fault(.invalidArguments, "the key is an empty object; it must name at least one property")
        }
        try checkCount(parts.count, of: declared)
        var key = KeyText()
        guard declared.isEmpty else {
            for part in try MatchedKeyPart.all(parts, declared) {
                let literal = try literal(part.value, of: part.declaration, members, at: part.position)
                key.append(declared.count == 1 ? nil : ODataChangeRequest.percentEncoded(part.name), literal)
            }
            return "(" + key.text + ")"
        }
        try RepeatedNames.check(parts.names)
        for (name, value) in parts.members {
            key.append(ODataChangeRequest.percentEncoded(name), try literal(value))
        }
        return "(" + key.text + ")"
    }

    private func checkCount(_ count: Int, of declared: [EdmStructuredType.KeyPart]) throws(Fault) {
        guard count == declared.count || declared.isEmpty else {
            throw Fault(.invalidArguments, "the key of the entity type has \(declared.count) properties, not \(count)")
        }
    }

    /// The value as a literal of its declared type in the version; without a declared type, by its JSON.
    private func literal(
        _ value: JSONValue, of part: EdmStructuredType.KeyPart?, _ members: TypeMembers?, at position: Int
    ) throws(Fault) -> String {
        guard let part, let typing, let members,
            let type = Self.type(of: part, members, near: position, in: typing.types.model)
        else {
            return try literal(value)
        }
        switch try typing.types.value(value, as: type, path: ValuePath(part.path)) {
        // In an expression an exponent tells a Double from a Decimal. Of a key the service knows the type.
        case .primitive(.double(let value)) where version.isV4:
            return ODataChangeRequest.percentEncoded(ODataValue.double(value).canonicalText ?? "")
        case .primitive(let value):
            guard value.primitiveType?.isSpatial != true, let text = LiteralText.text(of: value, version: version)
            else {
                throw typing.types.mismatch(ValuePath(part.path))
            }
            return ODataChangeRequest.percentEncoded(text)
        case .enumeration(let type, let members, _):
            let value = ODataValue.enumeration(type: type, members: members)
            return ODataChangeRequest.percentEncoded(LiteralText.text(of: value, version: version) ?? "")
        case .untyped(let value): return try literal(value)
        case .null, .complex, .collection, .related, .shape, .stated:
            throw Fault(
                .invalidArguments, "a part of the key is null or not a single value", context: [.path(part.path)])
        }
    }

    /// The type at the end of the path of a key part.
    ///
    /// - Parameters:
    ///   - members: The members of the entity type.
    ///   - position: The position of the part in the key. Most types declare their key first, in its order.
    static func type(
        of part: EdmStructuredType.KeyPart, _ members: TypeMembers, near position: Int? = nil, in model: EdmModel
    ) -> EdmTypeReference? {
        guard part.path.utf8.contains(UInt8(ascii: "/")) else {
            return members.type(of: part.path, near: position)
        }
        var owner = members
        var type: EdmTypeReference?
        for name in part.path.segments {
            type = owner.type(of: name)
            guard let found = type else { return nil }
            owner = TypeMembers(of: found.name, in: model)
        }
        return type
    }

    /// The literal of a value without a declared type.
    private func literal(_ value: JSONValue) throws(Fault) -> String {
        switch value {
        case .string(let text): ODataChangeRequest.percentEncoded(LiteralText.quoted(text))
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        default:
            throw Fault(.invalidArguments, "the key must be a string, number or boolean, or an object of these")
        }
    }
}
