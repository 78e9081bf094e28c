import Soups

/// Checks the values of a key in a URL against the declared key.
struct KeyChecker {
    let model: EdmModel
    let entityType: String
    /// The aliases that the key may use.
    var aliases: AliasScope?

    /// Throws `unknownProperty` for a name that the key does not have, and `typeMismatch` for another number of values
    /// or a literal of another type.
    ///
    /// - Parameter isRelated: Whether the entity is one of a relation, whose key may leave out properties that the
    ///   relation determines.
    func check(_ values: [ResourceSegment.Argument], isRelated: Bool, at offset: Int) throws(Fault) {
        let parts = model.key(of: entityType)
        guard !parts.isEmpty else { return }
        guard values.count == parts.count || (isRelated && values.count < parts.count) else {
            throw Fault(.typeMismatch, "expected a key of \(parts.count) values", offset: offset)
        }
        for value in values {
            guard let name = value.name else {
                if parts.count == 1 {
                    try check(value.value, as: parts[0], at: offset)
                }
                continue
            }
            guard let part = parts.first(where: { ($0.alias ?? $0.path).hasBytes(of: name) }) else {
                throw Fault(
                    .unknownProperty, "the key has no property of this name", offset: offset, context: [.path(name)])
            }
            try check(value.value, as: part, at: offset)
        }
    }

    private func check(
        _ value: ODataExpression, as part: EdmStructuredType.KeyPart, at offset: Int
    ) throws(Fault) {
        guard let declared = ChangeKey.type(of: part, TypeMembers(of: entityType, in: model), in: model) else { return }
        let type = StaticType(literal: value, in: model, aliases: aliases)
        guard StaticType(declared, in: model).takes(type), type.base != .null else {
            throw Fault(
                .typeMismatch, "the value does not match the type of the key property", offset: offset,
                context: [.path(part.alias ?? part.path)])
        }
    }
}

extension StaticType {
    /// The type of a literal, or of the value of an alias; unknown for an alias without a value.
    init(literal expression: ODataExpression, in model: EdmModel, aliases: AliasScope? = nil) {
        let root = expression.nodes[expression.root]
        if root.kind == .alias, let value = aliases?.value(of: ByteKey(expression.text(of: expression.root))) {
            self.init(literal: value, in: model)
            return
        }
        if root.kind == .null {
            self = .null
            return
        }
        let value = expression.value(of: expression.root)
        switch value {
        case .enumeration(let name?, _): self.init(base: .enumeration(model.resolve(name)))
        default: self = value.primitiveType.map(StaticType.primitive) ?? .unknown
        }
    }

    /// Whether a literal of another type is a value of this one. Numbers fit other numbers, but no fraction an integer.
    /// A text may be a duration or the member of an enumeration, whose prefixes are optional since 4.01.
    func takes(_ literal: StaticType) -> Bool {
        guard !isCollection else {
            return literal.base == .unknown
        }
        switch (base, literal.base) {
        case (.unknown, _), (_, .unknown), (.null, _), (_, .null): return true
        case (.primitive(let wanted), .primitive(let found)):
            if wanted == found || (wanted.isInteger && found.isInteger) {
                return true
            }
            if wanted.isSpatial, found.isSpatial {
                return wanted.includes(shape: found)
            }
            if wanted == .duration, found == .string {
                return true
            }
            return wanted.isNumeric && found.isNumeric && !wanted.isInteger
        case (.enumeration(let wanted), .enumeration(let found)): return wanted.hasBytes(of: found)
        case (.enumeration, .primitive(let found)): return found == .string || found.isInteger
        default: return false
        }
    }
}
