import Soups

/// The type that a context URL names or leads to.
struct ContextType {
    var type: EdmTypeReference
    /// Whether the context URL has nothing but an entity set, so that its entities may have any type derived from that
    /// of the set.
    var isOfSet: Bool
}

extension PayloadTypes {
    /// The type at the end of a context URL such as `#Items/$entity`, `#Items(1)/Address`, `#Items/Shop.Special` or
    /// `#Collection(Shop.Address)`; nil for one that leads to something that is not in the model. O(n) in its length.
    func type(ofContext context: String) -> ContextType? {
        guard let hash = context.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let segments = Self.segments(context[context.utf8.index(after: hash)...])
        guard let first = segments.first, var found = root(first) else { return nil }
        for segment in segments.dropFirst() where !"$@".utf8.contains(segment.utf8.first ?? UInt8(ascii: "$")) {
            guard let next = type(of: segment, after: found.type) else { return nil }
            found = ContextType(type: next, isOfSet: false)
        }
        return found
    }

    /// The type by which an entity is read whose context URL is known: the one that the URL leads to, unless the
    /// expected type is derived from it.
    ///
    /// - Parameter isOwn: Whether the context URL is that of the entity in a feed of others. Such an entity may be of
    ///   another entity set than the caller expects, a whole body may not.
    func expectedType(_ expected: String?, context: String?, isOwn: Bool) -> String? {
        guard let expected else { return nil }
        guard let context, let found = type(ofContext: context), model.structuredType(found.type.name) != nil else {
            return expected
        }
        if model.type(expected, isOrDerivesFrom: found.type.name) {
            return expected
        }
        let isDerived = model.type(found.type.name, isOrDerivesFrom: expected)
        return isOwn || !found.isOfSet || isDerived ? found.type.name : expected
    }

    /// The parts of the fragment between slashes, without keys and lists of selected properties.
    static func segments(_ fragment: Substring) -> [String] {
        if fragment.utf8.starts(with: "Collection(".utf8) {
            let close = UInt8(ascii: ")")
            return [JSONContext.decodedName(Array(fragment.utf8.prefix { $0 != close }) + [close])]
        }
        var segments: [[UInt8]] = [[]]
        var depth = 0
        var isInText = false
        for byte in fragment.utf8 {
            switch byte {
            case UInt8(ascii: "'"): isInText.toggle()
            case _ where isInText: continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case _ where depth > 0: continue
            case UInt8(ascii: "/"): segments.append([])
            default: segments[segments.count - 1].append(byte)
            }
        }
        return segments.map { JSONContext.decodedName($0) }
    }

    /// The type of the first segment: an entity set, a singleton, or a type itself.
    private func root(_ segment: String) -> ContextType? {
        if let set = model.entitySet(segment) {
            return ContextType(type: EdmTypeReference(set.entityType, isCollection: true), isOfSet: true)
        }
        if let type = model.singleton(segment)?.type {
            return ContextType(type: EdmTypeReference(type), isOfSet: true)
        }
        let type = EdmTypeReference(text: segment)
        return isInModel(type.name) ? ContextType(type: type, isOfSet: false) : nil
    }

    /// The type of a property of a type, or a type derived from it.
    private func type(of segment: String, after type: EdmTypeReference) -> EdmTypeReference? {
        if let property = model.property(segment, of: type.name) {
            return property.type
        }
        if let navigation = model.navigation(segment, of: type.name) {
            return navigation.type
        }
        guard model.structuredType(segment) != nil, model.type(segment, isOrDerivesFrom: type.name) else { return nil }
        return EdmTypeReference(segment, isCollection: type.isCollection)
    }

    func isInModel(_ name: String) -> Bool {
        primitive(name) != nil || model.structuredType(name) != nil || model.enumType(name) != nil
    }
}
