import Soups

/// Keys as segments of their own: `People/abc`, `Lines/2001/1` (OData URL Conventions 4.01, 4.3.6).
extension ResourceChecker {
    /// Goes from a collection to one of its members, or to the next part of a composite key.
    ///
    /// Throws `typeMismatch` for a text that is not a value of the key property.
    mutating func takeKeySegment(_ segment: ResourceSegment, from current: StaticType) throws(Fault) {
        let parts = current.structuredName.map { model.key(of: $0) } ?? []
        let position = current.isCollection ? 0 : parts.count - missingKeyParts
        if let owner = current.structuredName, parts.indices.contains(position),
            let type = type(of: parts[position], of: owner)?.primitive, !Self.isValue(segment.name, of: type)
        {
            throw Fault(
                .typeMismatch, "the value does not match the type of the key property", offset: segment.offset,
                context: [.path(parts[position].alias ?? parts[position].path)])
        }
        guard current.isCollection else {
            missingKeyParts -= 1
            return
        }
        missingKeyParts = max(0, parts.count - 1)
        type = current.element
    }

    private func type(of part: EdmStructuredType.KeyPart, of owner: String) -> StaticType? {
        ChangeKey.type(of: part, TypeMembers(of: owner, in: model), in: model).map { StaticType($0, in: model) }
    }

    /// Whether the text of a segment is a value of a type, or an alias for one.
    private static func isValue(_ text: String, of type: EdmPrimitiveType) -> Bool {
        if type == .string || text.utf8.first == UInt8(ascii: "@") {
            return true
        }
        return withBytes(of: text) { ODataValue.read($0, as: type) } != nil
    }

    /// Whether a segment that looks like a name is a part of a key. Types and operations come first; then what follows
    /// a collection of entities is a key, also if it is the name of a property.
    func isKey(_ segment: ResourceSegment, after current: StaticType) -> Bool {
        guard version == .v401, segment.arguments == nil, let owner = current.structuredName else { return false }
        let parts = model.key(of: owner)
        let position: Int
        if current.isCollection {
            position = 0
        } else {
            // A relation may determine the parts that are missing. Then a property follows.
            let isMember =
                model.property(segment.name, of: owner) != nil || model.navigation(segment.name, of: owner) != nil
            guard missingKeyParts > 0, !isMember else { return false }
            position = parts.count - missingKeyParts
        }
        guard parts.indices.contains(position) else { return false }
        if segment.isQualified, model.structuredType(segment.name) != nil || model.hasOperation(segment.name) {
            return false
        }
        return takes(segment.name, as: parts[position], of: owner)
    }

    /// Whether a text that begins like a name may be the value of a key property.
    private func takes(_ text: String, as part: EdmStructuredType.KeyPart, of owner: String) -> Bool {
        guard let type = type(of: part, of: owner) else { return false }
        if case .enumeration(let name) = type.base {
            return model.enumValue(of: text, in: name) != nil
        }
        switch type.primitive {
        case .string: return true
        case .boolean: return text == "true" || text == "false"
        case .duration: return EdmDuration(text) != nil
        default: return false
        }
    }
}
