import Soups

extension Evaluation {
    /// Evaluates a path. The result is null if a name is missing or if a segment before the last is null.
    mutating func path(_ index: Int) throws(Fault) -> Value {
        // Inside a lambda a path that starts at the entity has the same value for each member.
        guard !variables.isEmpty, isInvariant(index) else {
            return try resolve(index)
        }
        if let known = invariants[index] {
            return known
        }
        let value = try resolve(index)
        invariants[index] = value
        return value
    }

    /// Whether a path does not depend on lambda variables or on the members of `$filter(...)`.
    func isInvariant(_ index: Int) -> Bool {
        node(index).kind == .path && evaluator.slots[index] < 0 && !isInsideFilter
            && (node(index).first < 0 || evaluator.invariantPaths.contains(index))
    }

    private mutating func resolve(_ index: Int) throws(Fault) -> Value {
        guard let found = try target(index) else {
            return .null
        }
        guard case .node(let node) = found else {
            return found
        }
        return try budget.term(node, declared: evaluator.types[index])
    }

    /// Finds the node that a path leads to; nil if a name is missing.
    private mutating func target(_ index: Int) throws(Fault) -> Value? {
        let slot = evaluator.slots[index]
        let first = Int(node(index).first)
        if first < 0 {
            if slot >= 0 {
                return variables[slot]
            }
            let name = evaluator.names[index]
            switch name.utf8.first {
            case UInt8(ascii: "$"): return .node(current)
            case UInt8(ascii: "@") where aliases[ByteKey(name)] != nil: return try alias(name)
            default: return current.member(name).map { .node($0) }
            }
        }
        var target: Value? = .node(current)
        var owner: (node: Node, name: String)?
        var segment = first
        if slot >= 0 {
            target = variables[slot]
            segment = Int(node(first).next)
        } else {
            let name = evaluator.names[first]
            if name.utf8.first == UInt8(ascii: "$") {
                if name.hasBytes(of: "$root") {
                    guard let root else {
                        throw Fault(
                            .unsupported, "$root needs the entity sets of the service; pass them as root",
                            offset: node(index).range.lowerBound)
                    }
                    target = .node(root)
                }
                if name.hasBytes(of: "$it") {
                    target = .node(entity)
                }
                segment = Int(node(first).next)
            } else if name.utf8.first == UInt8(ascii: "@"), aliases[ByteKey(name)] != nil {
                target = try alias(name)
                segment = Int(node(first).next)
            }
        }
        while segment >= 0 {
            target = try step(target, segment, &owner)
            guard target != nil || owner != nil else { return nil }
            segment = Int(node(segment).next)
        }
        return target
    }

    private mutating func step(
        _ target: Value?, _ segment: Int, _ owner: inout (node: Node, name: String)?
    ) throws(Fault) -> Value? {
        let name = evaluator.names[segment]
        switch node(segment).kind {
        case .name, .path: break
        case .filterSegment:
            owner = nil
            let predicate = Int(node(segment).first)
            let members = try filtered(target, by: predicate)
            return node(predicate).next < 0
                ? .list(members) : try member(of: members, withKey: node(predicate).next, at: segment)
        case .keySegment where node(Int(node(segment).first)).kind == .functionSegment:
            throw unknownFunction(at: segment)
        case .keySegment:
            owner = nil
            let name = Int(node(segment).first)
            return try member(of: candidates(target, name), withKey: node(name).next, at: segment)
        default: throw unknownFunction(at: segment)
        }
        if name.utf8.contains(UInt8(ascii: ".")), name.utf8.first != UInt8(ascii: "@") {
            let instance = try cast(target, at: segment)
            if instance == nil {
                owner = nil
            }
            return instance
        }
        let here: Node? = if case .node(let found)? = target { found } else { nil }
        if name.utf8.first == UInt8(ascii: "@") {
            // An annotation of a property is a sibling of the property, named `property@annotation`.
            defer { owner = nil }
            if let owner {
                return owner.node.member(owner.name + name).map { .node($0) }
            }
            return here?.member(name).map { .node($0) }
        }
        guard let here else {
            owner = nil
            // An object that the expression itself or an alias gives has no annotations.
            guard case .value(.complex(let members))? = target else { return nil }
            return members.first { $0.name.hasBytes(of: name) }.map { .value($0.value) }
        }
        owner = (here, name)
        return here.member(name).map { .node($0) }
    }

    /// The entities among which a key selects: those of a collection by its name, or the ones of a type.
    private mutating func candidates(_ target: Value?, _ name: Int) throws(Fault) -> [Value] {
        if evaluator.names[name].utf8.contains(UInt8(ascii: ".")) {
            return try members(of: cast(target, at: name) ?? .null)
        }
        guard case .node(let here)? = target, let collection = here.member(evaluator.names[name]) else { return [] }
        return try members(of: .node(collection))
    }

    private func unknownFunction(at segment: Int) -> Fault {
        Fault(
            .unsupported, "a function of the service cannot be evaluated here", offset: node(segment).range.lowerBound)
    }

    private mutating func filtered(_ target: Value?, by predicate: Int) throws(Fault) -> [Value] {
        var kept: [Value] = []
        let (outer, isNested) = (current, isInsideFilter)
        isInsideFilter = true
        for element in try members(of: target ?? .null) {
            guard case .node(let node) = element else {
                throw Fault(
                    .unsupported, "$filter over values that are not data cannot be evaluated; use any or all",
                    offset: self.node(predicate).range.lowerBound)
            }
            current = node
            if try term(predicate).boolean == true {
                kept.append(element)
            }
        }
        (current, isInsideFilter) = (outer, isNested)
        return kept
    }

    /// The members of a collection, paid for one by one.
    mutating func members(of value: Value) throws(Fault) -> [Value] {
        let members = elements(of: value)
        try budget.spend(members.count)
        return members
    }

    /// The members of a collection; empty for any other value.
    func elements(of value: Value) -> [Value] {
        switch value {
        case .list(let terms): terms
        case .node(let node): (node.elements ?? []).map { .node($0) }
        case .value(.collection(let values)): values.map { .value($0) }
        default: []
        }
    }

    /// Whether an instance has a type or a type derived from it, judged by the type in its control information,
    /// otherwise by the declared type.
    func isInstance(_ node: Node, of type: String, declared: StaticType) -> Bool {
        node.isInstance(of: type, declared: declared.structuredName, in: evaluator.model)
    }

    mutating func count(_ path: Int) throws(Fault) -> Int {
        let value = try term(path)
        let filter = Int(node(path).next)
        return filter >= 0 ? try filtered(value, by: filter).count : try members(of: value).count
    }

    /// Evaluates `any` and `all`. A predicate that is null for a member counts as false.
    mutating func lambda(_ index: Int) throws(Fault) -> Bool {
        let path = Int(node(index).first)
        let variable = Int(node(path).next)
        let collection = try term(path)
        guard variable >= 0 else {
            return try !members(of: collection).isEmpty
        }
        let members = elements(of: collection)
        try budget.spend(members.count)
        let predicate = Int(node(variable).next)
        let isAny = node(index).kind == .any
        for member in members {
            variables.append(member)
            let result = try term(predicate).boolean
            variables.removeLast()
            if (result == true) == isAny {
                return isAny
            }
        }
        return !isAny
    }
}

extension EntityNode {
    /// The type that the control information of an instance, or of a stored row, states. It may be a URL with the type
    /// as its fragment.
    var statedType: String? {
        for control in ["@odata.type", "@type", "odata.type"] {
            if case .text(let stated)? = member(control)?.content {
                guard let hash = stated.utf8.lastIndex(of: UInt8(ascii: "#")) else {
                    return stated
                }
                return String(stated[stated.utf8.index(after: hash)...])
            }
        }
        return StoredRowMember.statedType(of: self)
    }

    /// Whether the data may be an instance of a type: it is one, or nothing is known of its type.
    func mayBeInstance(of type: String, declared: String?, in model: EdmModel?) -> Bool {
        guard statedType != nil || (declared != nil && model != nil) else { return true }
        return isInstance(of: type, declared: declared, in: model)
    }

    /// Whether the data is an instance of a type or of one derived from it, judged by the type in its control
    /// information, otherwise by the declared type. A type that the metadata lack is derived from the declared one.
    func isInstance(of type: String, declared: String?, in model: EdmModel?) -> Bool {
        if let name = statedType {
            guard let model else {
                return name.hasBytes(of: type)
            }
            if model.type(name, isOrDerivesFrom: type) {
                return true
            }
            if model.structuredType(name) != nil {
                return false
            }
        }
        guard let model, let declared else { return false }
        if case .null = content {
            return false
        }
        return model.type(declared, isOrDerivesFrom: type)
    }
}
