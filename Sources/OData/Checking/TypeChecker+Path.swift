import Soups

extension TypeChecker {
    /// Finds the type at the end of a path, segment by segment.
    mutating func path(_ node: Int) throws(Fault) -> StaticType {
        let children = expression.children(of: node)
        let first = children.first ?? node
        let bytes = expression.bytes(of: first)
        var type = current
        var rest = children[...]
        if let slot = variables.lastIndex(where: { $0.name.elementsEqual(bytes) }), expression.nodes[first].kind == .name || children.isEmpty {
            slots[node] = slot
            type = variables[slot].type
            rest = rest.dropFirst()
            if children.isEmpty { return type }
        } else if bytes.first == UInt8(ascii: "$") {
            if bytes.elementsEqual("$it".utf8) { type = entityType }
            if bytes.elementsEqual("$root".utf8) { return .unknown }
            rest = rest.dropFirst()
            if children.isEmpty { return type }
        } else if children.isEmpty {
            return try member(node, of: type)
        }
        for segment in rest { type = try self.segment(segment, of: type) }
        return type
    }

    private mutating func segment(_ node: Int, of type: StaticType) throws(Fault) -> StaticType {
        switch expression.nodes[node].kind {
        case .name, .path: return try member(node, of: type)
        case .filterSegment:
            guard type.isCollection || type.base == .unknown else { throw mismatch("only collections are filtered", at: node) }
            try checkPredicate(Int(expression.nodes[node].first), of: type.element)
            return type
        case .keySegment:
            return try member(Int(expression.nodes[node].first), of: type).element
        default: return .unknown
        }
    }

    private func member(_ node: Int, of type: StaticType) throws(Fault) -> StaticType {
        guard let model else { return .unknown }
        let bytes = expression.bytes(of: node)
        if bytes.first == UInt8(ascii: "@") { return .unknown }
        let name = String(decoding: bytes, as: UTF8.self)
        if name.utf8.contains(UInt8(ascii: ".")) {
            guard model.structuredType(name) != nil else {
                throw Fault(.unknownProperty, "no type has this name", offset: expression.nodes[node].range.lowerBound)
            }
            return StaticType(base: .structured(model.resolve(name)), isCollection: type.isCollection)
        }
        switch type.base {
        case .unknown, .null: return .unknown
        case .structured(let owner):
            guard !type.isCollection else { throw mismatch("a path does not go through a collection", at: node) }
            if let property = model.property(name, of: owner) { return StaticType(property.type, in: model) }
            if let navigation = model.navigation(name, of: owner) { return StaticType(navigation.type, in: model) }
            if computedNames.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return .unknown }
            if model.isOpen(owner) || model.structuredType(owner) == nil { return .unknown }
            throw Fault(
                .unknownProperty, "the type has no such property", offset: expression.nodes[node].range.lowerBound, context: [.path(name)])
        default: throw Fault(.unknownProperty, "a primitive value has no properties", offset: expression.nodes[node].range.lowerBound)
        }
    }
}
