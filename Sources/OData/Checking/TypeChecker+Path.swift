import Soups

extension TypeChecker {
    /// Finds the type at the end of a path, segment by segment.
    mutating func path(_ node: Int) throws(Fault) -> StaticType {
        let children = expression.children(of: node)
        let first = children.first ?? node
        let bytes = expression.bytes(of: first)
        var type = current
        var rest = children[...]
        if let slot = variables.lastIndex(where: { $0.name.elementsEqual(bytes) }),
            expression.nodes[first].kind == .name || children.isEmpty
        {
            slots[node] = slot
            type = variables[slot].type
            rest = rest.dropFirst()
            if children.isEmpty {
                return type
            }
        } else if bytes.first == UInt8(ascii: "$") {
            if bytes.elementsEqual("$it".utf8) {
                type = outermost
            }
            rest = rest.dropFirst()
            if children.isEmpty {
                return type
            }
            if bytes.elementsEqual("$root".utf8), let set = rest.popFirst() {
                type = try rootSegment(set)
            }
        } else if children.isEmpty {
            return try member(node, of: type)
        }
        for segment in rest {
            type = try self.segment(segment, of: type)
        }
        return type
    }

    private mutating func segment(_ node: Int, of type: StaticType) throws(Fault) -> StaticType {
        switch expression.nodes[node].kind {
        case .name, .path: return try member(node, of: type)
        case .filterSegment:
            guard type.isCollection || type.base == .unknown else {
                throw mismatch("$filter needs a collection", at: node)
            }
            let predicate = Int(expression.nodes[node].first)
            try checkPredicate(predicate, of: type.element)
            guard expression.nodes[predicate].next >= 0 else {
                return type
            }
            try key(expression.nodes[predicate].next, of: type.element)
            return type.element
        case .keySegment:
            let name = Int(expression.nodes[node].first)
            guard expression.nodes[name].kind != .functionSegment else {
                return .unknown
            }
            return try keyed(try member(name, of: type), by: name)
        case .functionSegment: return try functionSegment(node)
        default: return .unknown
        }
    }

    /// The type of an entity set or singleton of the service, with a key if there is one.
    private mutating func rootSegment(_ node: Int) throws(Fault) -> StaticType {
        let name = Int(expression.nodes[node].first)
        switch expression.nodes[node].kind {
        case .functionSegment: return .unknown
        case .keySegment where expression.nodes[name].kind == .functionSegment: return .unknown
        case .keySegment: break
        default: return try rootMember(node)
        }
        return try keyed(try rootMember(name), by: name)
    }

    private mutating func keyed(_ type: StaticType, by name: Int) throws(Fault) -> StaticType {
        guard type.isCollection || type.base == .unknown else {
            throw mismatch("a key needs a collection", at: name)
        }
        try key(expression.nodes[name].next, of: type.element)
        return type.element
    }

    private mutating func member(_ node: Int, of type: StaticType) throws(Fault) -> StaticType {
        guard let model else {
            return .unknown
        }
        let bytes = expression.bytes(of: node)
        if bytes.first == UInt8(ascii: "@") {
            return .unknown
        }
        let name = String(decoding: bytes, as: UTF8.self)
        if name.utf8.contains(UInt8(ascii: ".")) {
            guard model.hasStructuredType(name) else {
                guard !model.isOfReferredSchema(name) else { return .unknown }
                throw Fault(.unknownProperty, "unknown type", offset: expression.nodes[node].range.lowerBound)
            }
            castTypes[node] = type
            return StaticType(base: .structured(model.resolve(name)), isCollection: type.isCollection)
        }
        switch type.base {
        case .unknown, .null: return .unknown
        case .structured(let owner):
            guard !type.isCollection else {
                throw mismatch("a path cannot continue through a collection; use any, all, $count or a key", at: node)
            }
            let declared = TypeMembers(of: owner, in: model)
            if let type = declared.type(of: name) {
                return StaticType(type, in: model)
            }
            if computedNames.contains(ByteKey(name)) {
                return .unknown
            }
            if declared.isOpen || !declared.isKnown {
                return .unknown
            }
            throw Fault(
                .unknownProperty, "the type has no property of this name",
                offset: expression.nodes[node].range.lowerBound,
                context: [.path(name)])
        default:
            throw Fault(
                .unknownProperty, "a primitive value has no properties", offset: expression.nodes[node].range.lowerBound
            )
        }
    }
}
