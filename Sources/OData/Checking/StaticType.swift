import Soups

/// What is known about the type of a value before any data are read.
package struct StaticType: Sendable, Equatable {
    package enum Base: Sendable, Equatable {
        case unknown
        /// The literal `null`, which is valid for every type.
        case null
        case primitive(EdmPrimitiveType)
        case enumeration(String)
        /// An entity or complex type by its qualified name.
        case structured(String)
    }

    package var base: Base
    package var isCollection = false

    static let unknown = StaticType(base: .unknown)
    static let null = StaticType(base: .null)
    static let boolean = StaticType(base: .primitive(.boolean))
    static let string = StaticType(base: .primitive(.string))

    /// The type of `$it` in options nested in those of an entity; unknown if the entity has computed properties.
    static func outermost(_ entityType: String?, _ computedNames: Set<ByteKey>) -> StaticType {
        guard let entityType, computedNames.isEmpty else {
            return .unknown
        }
        return StaticType(base: .structured(entityType))
    }

    static func primitive(_ type: EdmPrimitiveType) -> StaticType { StaticType(base: .primitive(type)) }

    package var primitive: EdmPrimitiveType? {
        if case .primitive(let type) = base, !isCollection {
            type
        } else {
            nil
        }
    }

    var structuredName: String? {
        if case .structured(let name) = base {
            name
        } else {
            nil
        }
    }

    /// Whether the value may have any type: its type is unknown, or it is null.
    var isOpen: Bool { !isCollection && (base == .unknown || base == .null) }

    var isNumeric: Bool { isOpen || primitive?.isNumeric == true }

    /// Whether values of the type can be compared by `lt` and `gt`.
    var isOrdered: Bool { isSortable && primitive != .binary }

    /// Whether values of the type can be sorted: single primitive values, but no streams and no shapes (OData Protocol
    /// 4.01, 11.2.6.2).
    var isSortable: Bool {
        if isOpen {
            return true
        }
        if case .enumeration = base {
            return !isCollection
        }
        guard let primitive else { return false }
        return primitive != .stream && !primitive.isSpatial
    }

    func isOpen(or types: EdmPrimitiveType...) -> Bool {
        if isOpen {
            return true
        }
        return primitive.map { types.contains($0) } ?? false
    }

    package static func == (a: StaticType, b: StaticType) -> Bool {
        guard a.isCollection == b.isCollection else { return false }
        return switch (a.base, b.base) {
        case (.unknown, .unknown), (.null, .null): true
        case (.primitive(let x), .primitive(let y)): x == y
        case (.enumeration(let x), .enumeration(let y)), (.structured(let x), .structured(let y)):
            x.hasBytes(of: y)
        default: false
        }
    }

    init(base: Base, isCollection: Bool = false) {
        self.base = base
        self.isCollection = isCollection
    }

    /// The type that a reference of the model names.
    init(_ reference: EdmTypeReference, in model: EdmModel) {
        isCollection = reference.isCollection
        var name = model.resolve(reference.name)
        if let definition = model.typeDefinition(name) {
            name = definition.underlying.name
        }
        if let primitive = EdmPrimitiveType(named: name) {
            base = .primitive(primitive)
        } else if model.enumType(name) != nil {
            base = .enumeration(name)
        } else {
            base = model.hasStructuredType(name) ? .structured(name) : .unknown
        }
    }

    /// The type after a segment that names a type of the model.
    ///
    /// - Throws: `typeMismatch` for an unrelated type.
    func cast(to name: String, in model: EdmModel, at offset: Int) throws(Fault) -> StaticType {
        guard mayBe(name, in: model) else {
            throw Fault(
                .typeMismatch, "the type has no relation to that of the value before it", offset: offset,
                context: [.path(name)])
        }
        return StaticType(base: .structured(model.resolve(name)), isCollection: isCollection)
    }

    /// Whether a value of this type may be an instance of a type that the model has: of one that it derives from, or
    /// that derives from it.
    func mayBe(_ name: String, in model: EdmModel) -> Bool {
        switch base {
        case .unknown, .null: true
        case .structured(let declared):
            model.type(name, isOrDerivesFrom: declared) || model.type(declared, isOrDerivesFrom: name)
                || model.mayDeriveFromOthers(name) || model.mayDeriveFromOthers(declared)
        case .primitive, .enumeration: false
        }
    }

    var element: StaticType { StaticType(base: base) }
}

extension EdmModel {
    /// Whether a type, or one that it derives from, is in another document, which may say what it derives from.
    fileprivate func mayDeriveFromOthers(_ name: String) -> Bool {
        var current = resolve(name)
        for _ in 0..<StructuredTypes.maximumInheritance {
            guard let type = structuredType(current) else { return true }
            guard let base = type.baseType else { return false }
            current = resolve(base)
        }
        return false
    }
}
