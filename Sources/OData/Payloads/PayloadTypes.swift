import Soups

/// Checks names and types of a payload against a model, and converts values to the types that the model declares. A
/// class, because a model is large to copy.
final class PayloadTypes: Sendable {
    let model: EdmModel
    let version: ODataVersion
    /// Whether all types are taken for open ones, and a type that the model lacks for the declared one.
    private let acceptsUndeclared: Bool

    init(model: EdmModel, options: PayloadOptions) {
        self.model = model
        version = options.readVersion
        acceptsUndeclared = options.acceptsUndeclared
    }

    /// Whether instances of a type may have properties that are not declared.
    func isOpen(_ type: String) -> Bool { acceptsUndeclared || model.isOpen(type) }

    /// The declaration of a property name in the model.
    enum Declaration {
        case property(EdmProperty)
        case navigation(EdmNavigationProperty)
        /// The type is open and allows any name.
        case dynamic
        /// The type is unknown.
        case unknownType
    }

    func declaration(of name: String, in type: String?) throws(Fault) -> Declaration {
        guard let type else {
            return .unknownType
        }
        var isKnown = false
        var isOpen = acceptsUndeclared
        for position in model.chain(of: type) {
            if let property = model.types.entries[position].property(name) {
                return .property(property)
            }
            if let navigation = model.types.entries[position].navigation(name) {
                return .navigation(navigation)
            }
            isKnown = true
            isOpen = isOpen || model.types.entries[position].isOpen
        }
        guard isKnown else {
            return .unknownType
        }
        // A media entity may have its stream inside, under a name that no property has (OData JSON Format 4.01, 10).
        guard isOpen || name.hasBytes(of: "$value") else {
            throw Fault(.unknownProperty, "the type has no property of this name", context: [.path(name)])
        }
        return .dynamic
    }

    /// The primitive type that a type declares for a property; nil for a collection, another type or another name.
    func declaredPrimitive(_ name: String, of type: String) -> EdmPrimitiveType? {
        guard case .property(let property)? = try? declaration(of: name, in: type), !property.type.isCollection else {
            return nil
        }
        return primitive(property.type.name)
    }

    /// The type of an entity or complex value; nil if nothing is known of it. A type in the payload must be the
    /// expected type or derived from it.
    func effectiveType(stated: String?, expected: String?, at offset: Int) throws(Fault) -> String? {
        guard let stated else {
            return expected
        }
        guard model.structuredType(stated) != nil else {
            // A service may have a derived type that the metadata of the client does not have yet.
            guard !acceptsUndeclared else { return expected }
            guard !model.isOfReferredSchema(stated) else { return nil }
            throw Fault(.typeMismatch, "the type given in the payload is not in the metadata", offset: offset)
        }
        guard let expected else {
            return stated
        }
        guard
            model.type(stated, isOrDerivesFrom: expected)
                || isInModel(stated, underAbstract: expected)
        else {
            throw Fault(
                .typeMismatch, "the type given in the payload is neither the declared type nor derived from it",
                offset: offset)
        }
        return stated
    }

    /// The primitive type with a name, or the underlying type of a type definition.
    func primitive(_ name: String) -> EdmPrimitiveType? {
        EdmPrimitiveType(named: name)
            ?? model.typeDefinition(name).flatMap { EdmPrimitiveType(named: $0.underlying.name) }
    }

    /// Checks an Atom entry when it is complete, because the category with its type may come after the content.
    func check(
        _ entry: inout EntryContent, texts: inout TextNumbers, expected: String?, _ known: inout KnownDeclarations,
        at offset: Int
    ) throws(Fault) {
        if !known.isOf(stated: entry.typeNumber, expected: expected, entry.texts) {
            let type = try effectiveType(stated: entry.type, expected: expected, at: offset)
            known.start(
                type, stated: entry.typeNumber, expected: expected, entry.texts,
                mapped: type.map { model.properties(of: $0).filter { $0.feedMapping != nil } } ?? [])
        }
        let type = known.type
        for index in entry.cells.indices where !known.isConverted(entry.cells[index], by: self) {
            let declaration: Declaration
            do throws(Fault) { declaration = try self.declaration(of: entry.name(at: index), in: type) } catch {
                throw error.shifted(to: offset)
            }
            let value = entry.value(at: index)
            guard case .property(let property) = declaration else {
                if StatedComplex.mayHaveType(value) {
                    entry.setValue(StatedComplex.withoutTypes(value), at: index)
                }
                continue
            }
            entry.setValue(
                try convert(value, to: property.type, stated: entry.statedType(at: index), at: offset), at: index)
        }
        for link in entry.rest.navigation {
            do throws(Fault) {
                guard case .navigation(let property) = try declaration(of: link.name, in: type) else { continue }
                try check(link, with: property.type)
            } catch {
                throw error.shifted(to: offset)
            }
        }
        try applyFeedMappings(&entry, texts: &texts, known.mapped, at: offset)
    }

    /// Checks that expanded entities are one entity or a collection as declared.
    private func check(_ link: ODataEntry.Navigation, with declared: EdmTypeReference) throws(Fault) {
        switch link.content {
        case .entry where declared.isCollection:
            throw Fault(
                .typeMismatch, "the navigation property holds one entity, but is declared for a collection",
                context: [.path(link.name)])
        case .feed where !declared.isCollection:
            throw Fault(
                .typeMismatch, "the navigation property holds a feed, but is declared for one entity",
                context: [.path(link.name)])
        case .null, .entry, .feed: return
        }
    }

    /// Checks that a type in the payload is the declared type or, for structured types, derived from it.
    func compare(_ stated: StatedType, with declared: EdmTypeReference, at offset: Int) throws(Fault) {
        guard stated.isCollection == declared.isCollection || AbstractType(named: declared.name) == .untyped else {
            throw mismatch(offset)
        }
        if let wanted = primitive(declared.name) {
            let actual = stated.primitive ?? primitive(stated.itemName)
            guard let actual, actual == wanted || Self.mayBeOne(actual, wanted) else {
                throw mismatch(offset)
            }
            return
        }
        guard stated.primitive == nil else {
            if declared.name.utf8.starts(with: "Edm.".utf8) {
                return
            }
            throw mismatch(offset)
        }
        let names = (model.resolve(stated.itemName), model.resolve(declared.name))
        guard
            names.0.hasBytes(of: names.1) || model.type(stated.itemName, isOrDerivesFrom: declared.name)
                || isInModel(stated.itemName, underAbstract: declared.name)
                // What it derives from is in another document.
                || model.isOfReferredSchema(stated.itemName)
                || mayBeUndeclared(stated, under: declared)
        else {
            throw mismatch(offset)
        }
    }

    /// Whether a type that the model lacks may be derived from a declared one.
    private func mayBeUndeclared(_ stated: StatedType, under declared: EdmTypeReference) -> Bool {
        acceptsUndeclared && model.structuredType(declared.name) != nil
            && model.structuredType(stated.itemName) == nil && model.enumType(stated.itemName) == nil
    }

    /// The type that the payload states, where the declaration leaves the type of a value to the payload; nil where it
    /// does not, or if the model does not have the stated type.
    func ownType(_ stated: StatedType, under declared: EdmTypeReference) -> EdmTypeReference? {
        guard AbstractType(named: declared.name) != nil, isInModel(stated.itemName) else { return nil }
        return EdmTypeReference(text: stated.text)
    }

    /// Whether the model has a type whose values an abstract type allows; false if the other type is not abstract.
    private func isInModel(_ stated: String, underAbstract declared: String) -> Bool {
        switch AbstractType(named: declared) {
        case .untyped: isInModel(stated)
        case .primitive: primitive(stated) != nil || model.enumType(stated) != nil
        case .entity: model.structuredType(stated)?.kind == .entity
        case .complex: model.structuredType(stated)?.kind == .complex
        case nil: false
        }
    }

    /// Whether a shape of one type may be of the other one too, because one of them is abstract.
    private static func mayBeOne(_ a: EdmPrimitiveType, _ b: EdmPrimitiveType) -> Bool {
        a.isSpatial && b.isSpatial && (a.includes(shape: b) || b.includes(shape: a))
    }

    func mismatch(_ offset: Int) -> Fault {
        Fault(.typeMismatch, "the value does not match the declared type", offset: offset)
    }
}

extension PayloadTypes {
    private static let feedPaths: [(target: String, element: String)] = [
        ("SyndicationTitle", "atom:title"), ("SyndicationSummary", "atom:summary"),
        ("SyndicationUpdated", "atom:updated"),
        ("SyndicationPublished", "atom:published"), ("SyndicationRights", "atom:rights"),
        ("SyndicationAuthorName", "author/atom:name"),
        ("SyndicationAuthorEmail", "author/atom:email"), ("SyndicationAuthorUri", "author/atom:uri"),
        ("SyndicationContributorName", "contributor/atom:name"),
        ("SyndicationContributorEmail", "contributor/atom:email"),
        ("SyndicationContributorUri", "contributor/atom:uri"),
    ]

    /// The annotation that keeps the value of the element to which a property is mapped.
    private static func element(of mapping: EdmFeedMapping) -> String? {
        if let namespace = mapping.namespace {
            return EdmFeedMapping.elementName(namespace, mapping.targetPath)
        }
        return feedPaths.first { $0.target.hasBytes(of: mapping.targetPath) }?.element
    }

    /// The value of a property, of which the element has the whole, or one member of a complex value.
    private func mapped(
        _ value: ODataValue, _ mapping: EdmFeedMapping, of type: EdmTypeReference, at offset: Int
    ) throws(Fault) -> ODataValue {
        guard let path = mapping.sourcePath, model.structuredType(type.name) != nil else {
            return try convert(value, to: type, stated: nil, at: offset)
        }
        let steps = path.segments
        var inner = value
        for step in steps.reversed() {
            inner = .complex([.init(step, inner)])
        }
        return try convert(inner, to: type, stated: nil, at: offset)
    }

    /// Reads properties that are missing from the content from the Atom elements that their feed mappings name.
    private func applyFeedMappings(
        _ entry: inout EntryContent, texts: inout TextNumbers, _ properties: [EdmProperty], at offset: Int
    ) throws(Fault) {
        for property in properties {
            guard let mapping = property.feedMapping, entry.index(of: property.name) == nil,
                let element = Self.element(of: mapping),
                let found = entry.rest.annotations.first(where: { $0.name.hasBytes(of: element) })
            else {
                continue
            }
            let value = try mapped(found.value, mapping, of: property.type, at: offset)
            let name = texts.number(of: property.name)
            entry.texts = texts.page
            entry.append(name, entry.pack(value), type: -1)
        }
    }
}

extension Fault {
    /// The same fault, with an offset if it lacks one.
    func shifted(to start: Int) -> Fault {
        offset == nil ? Fault(code, message, offset: start, context: context) : self
    }
}
