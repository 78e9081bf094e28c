import Soups

/// A path of an option, and what it may lead through.
struct OptionPath {
    let text: String
    /// The offset of the path in the text of the option.
    let offset: Int
    /// Whether the path may end in an operation, as in `$select`.
    let mayEndInOperation: Bool
    /// Whether a collection in the path is a `typeMismatch`.
    let isSingle: Bool

    init(_ text: String, offset: Int, mayEndInOperation: Bool = false, isSingle: Bool = false) {
        self.text = text
        self.offset = offset
        self.mayEndInOperation = mayEndInOperation
        self.isSingle = isSingle
    }
}

extension OptionChecker {
    /// Follows a path and returns the type at its end; unknown for an operation, and for what the model does not say.
    ///
    /// Throws `unknownProperty` for a name that its type does not have, and for an unknown type.
    func target(of path: OptionPath, _ names: Set<ByteKey>) throws(Fault) -> StaticType {
        var current = StaticType(base: .structured(type))
        // Segment by segment, so that no list of them is made.
        var rest = path.text.utf8[...]
        while !rest.isEmpty {
            let segment = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[segment.endIndex...].dropFirst()
            guard !segment.isEmpty else { continue }
            let offset = path.offset + path.text.utf8.distance(from: path.text.startIndex, to: segment.startIndex)
            let name = String(Substring(segment))
            if name.utf8.first == UInt8(ascii: "$") || name.utf8.first == UInt8(ascii: "@") {
                return .unknown
            }
            guard current.base != .unknown else {
                return .unknown
            }
            guard let owner = current.structuredName else {
                throw Fault(
                    .unknownProperty, "a primitive value has no properties", offset: offset, context: [.path(name)])
            }
            if name == "*" {
                return .unknown
            }
            if name.utf8.contains(UInt8(ascii: ".")) {
                let isLast = segment.endIndex == path.text.endIndex
                current = try qualified(name, from: current, at: offset, isOperation: isLast && path.mayEndInOperation)
                continue
            }
            current = try member(name, of: owner, names, at: offset)
            if path.isSingle, current.isCollection {
                throw Fault(
                    .typeMismatch, "groupby needs a property with a single value, not a collection", offset: offset,
                    context: [.path(name)])
            }
        }
        return current
    }

    /// - Parameter isOperation: Whether the name may be that of an operation, or of all operations of a schema.
    private func qualified(
        _ name: String, from current: StaticType, at offset: Int, isOperation: Bool
    ) throws(Fault) -> StaticType {
        guard !model.hasStructuredType(name) else {
            return try current.cast(to: name, in: model, at: offset)
        }
        // The model does not have what the schemas declare that its document only refers to. A service ignores an
        // operation that it cannot bind (OData Protocol 4.01, 11.2.5.1).
        guard model.isOfReferredSchema(name) || isOperation && model.mayHaveOperation(name) else {
            throw Fault(.unknownProperty, "unknown type", offset: offset, context: [.path(name)])
        }
        return .unknown
    }

    private func member(
        _ name: String, of owner: String, _ names: Set<ByteKey>, at offset: Int
    ) throws(Fault) -> StaticType {
        if names.contains(ByteKey(name)) {
            return .unknown
        }
        let declared = TypeMembers(of: owner, in: model)
        if let target = declared.type(of: name) {
            return StaticType(target, in: model)
        }
        guard hasRelation(name, owner) || declared.isOpen || !declared.isKnown else {
            throw Fault(
                .unknownProperty, "the type has no property of this name", offset: offset, context: [.path(name)])
        }
        return .unknown
    }

    private func hasRelation(_ name: String, _ owner: String) -> Bool {
        let isOutermost = outermost == nil && ByteKey(owner) == ByteKey(type)
        return relations.contains(name, ofType: owner, in: model, isOutermost: isOutermost)
    }
}

extension EdmModel {
    /// Whether an operation may have a qualified name, with or without parameters in parentheses: it is declared, or
    /// the model does not have its schema. `*` means all operations of a schema.
    fileprivate func mayHaveOperation(_ name: String) -> Bool {
        let name = String(name.prefix { $0 != "(" })
        return name.utf8.last == UInt8(ascii: "*") || hasOperation(name) || !hasSchema(of: name)
    }

    private func hasSchema(of name: String) -> Bool {
        let name = resolve(name)
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return schemas.contains { $0.namespace.hasBytes(of: String(name[..<dot])) }
    }
}
