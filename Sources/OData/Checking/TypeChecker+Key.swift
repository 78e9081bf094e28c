import Soups

/// Keys after a collection in a path: `Items(1)`, `Items(A=1,B='x')`, `$root/Sets('a')`.
extension TypeChecker {
    /// Checks the values of a key and records the property of each value.
    ///
    /// With a model, the entity type defines the properties of the key. Without one every value needs a name.
    mutating func key(_ first: Int32, of element: StaticType) throws(Fault) {
        var values: [Int] = []
        var next = first
        while next >= 0 {
            values.append(Int(next))
            next = expression.nodes[Int(next)].next
        }
        let parts = element.structuredName.flatMap { name in model?.key(of: name) } ?? []
        for value in values {
            let isNamed = expression.nodes[value].kind == .argument
            try check(isNamed ? Int(expression.nodes[value].first) : value)
            guard !parts.isEmpty else {
                if isNamed {
                    keyPaths[value] = [expression.text(of: value)]
                }
                continue
            }
            guard values.count == parts.count else {
                throw mismatch("expected a key of \(parts.count) values", at: value)
            }
            let part =
                isNamed
                ? parts.first { ($0.alias ?? $0.path).utf8.elementsEqual(expression.bytes(of: value)) } : parts[0]
            guard let part else {
                throw Fault(
                    .unknownProperty, "the key has no property of this name",
                    offset: expression.nodes[value].range.lowerBound)
            }
            keyPaths[value] = part.path.segments
            try checkType(of: isNamed ? Int(expression.nodes[value].first) : value, as: part, of: element)
        }
    }

    private func checkType(
        of value: Int, as part: EdmStructuredType.KeyPart, of element: StaticType
    ) throws(Fault) {
        guard let model, let owner = element.structuredName,
            let declared = ChangeKey.type(of: part, TypeMembers(of: owner, in: model), in: model)
        else {
            return
        }
        guard StaticType(declared, in: model).takes(types[value]) else {
            throw mismatch("the value does not match the type of the key property", at: value)
        }
    }

    /// The result type of a bound function in a path. Throws what `FunctionArguments` throws.
    mutating func functionSegment(_ node: Int) throws(Fault) -> StaticType {
        let name = Int(expression.nodes[node].first)
        var arguments: [(name: String, type: StaticType)] = []
        var next = expression.nodes[name].next
        while next >= 0 {
            let argument = Int(next)
            let type = try check(Int(expression.nodes[argument].first))
            arguments.append((expression.text(of: argument), type))
            next = expression.nodes[argument].next
        }
        guard let model else {
            return .unknown
        }
        let offset = expression.nodes[node].range.lowerBound
        let function = try FunctionArguments(model: model).overload(
            of: expression.text(of: name), taking: arguments, at: offset)
        return function?.returnType.map { StaticType($0, in: model) } ?? .unknown
    }

    /// The type of an entity set or singleton after `$root`.
    func rootMember(_ node: Int) throws(Fault) -> StaticType {
        guard let model else {
            return .unknown
        }
        let name = expression.text(of: node)
        if let set = model.entitySet(name) {
            return StaticType(base: .structured(model.resolve(set.entityType)), isCollection: true)
        }
        if let single = model.singleton(name) {
            return StaticType(base: .structured(model.resolve(single.type)))
        }
        if model.mayHaveOtherSets {
            return .unknown
        }
        throw Fault(
            .unknownProperty, "the service has no entity set of this name",
            offset: expression.nodes[node].range.lowerBound,
            context: [.path(name)])
    }
}
