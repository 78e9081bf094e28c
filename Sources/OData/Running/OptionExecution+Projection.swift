import Soups

extension OptionExecution {
    /// Applies `$expand` and `$select` to an entity. Without them it stays as it is.
    mutating func project(_ entity: Node, _ options: PreparedOptions) throws(Fault) -> Node {
        guard options.selection != nil || !options.expansions.isEmpty else {
            return entity
        }
        var expanded: [ResultObject<Data>.Member] = []
        if !options.expansions.isEmpty {
            expanded = try self.expanded(entity, options)
        }
        let replaced = options.names(replacedBy: expanded)
        var members: [ResultObject<Data>.Member] = []
        if let selection = options.selection {
            try select(selection, fromExpanded: &expanded, options)
            if selection.hasOptions {
                members = try within(entity) { execution throws(Fault) in
                    try execution.members(of: entity, in: selection, type: options.entityType, replaced)
                }
            } else {
                members = try self.members(of: entity, in: selection, type: options.entityType, replaced)
            }
        } else {
            entity.forEachMember { name, value in
                if !replaced.contains(where: { $0.hasBytes(of: name) }) {
                    members.append((name, value))
                }
            }
        }
        members += expanded
        return .object(ResultObject(origin: entity.origin, isWhole: false, members: members))
    }

    /// Up to version 3.0, `$select=Items/Name` is about what `$expand=Items` shows.
    private mutating func select(
        _ selection: Selection, fromExpanded expanded: inout [ResultObject<Data>.Member], _ options: PreparedOptions
    ) throws(Fault) {
        for index in expanded.indices {
            let name = expanded[index].name
            guard options.expansions.contains(where: { $0.name?.hasBytes(of: name) == true }),
                case .members(let inner)? = selection.part(of: name)
            else { continue }
            expanded[index].value = try select(
                inner, from: expanded[index].value, type: structuredType(of: name, in: options.entityType))
        }
    }

    // MARK: - $expand

    /// What `$expand` makes of an entity.
    mutating func expanded(
        _ entity: Node, _ options: PreparedOptions
    ) throws(Fault) -> [ResultObject<Data>.Member] {
        let kept = options.selection.map { Selection.Part.members($0) } ?? Selection.Part.whole
        return try within(entity) { execution throws(Fault) in
            try execution.expanded(options.expansions, in: entity, at: 0, of: kept, type: options.entityType)
        }
    }

    /// The members that expansions make of an entity, or of a complex value in it. What one of them leaves of a
    /// collection does not count for the others.
    ///
    /// - Parameters:
    ///   - position: The position of the names that are read here in the paths.
    ///   - kept: What `$select` keeps of the entity or value; nil for nothing.
    ///   - type: The declared type of the entity or value.
    private mutating func expanded(
        _ expansions: [PreparedOptions.Expansion], in entity: Node, at position: Int, of kept: Selection.Part?,
        type: String?
    ) throws(Fault) -> [ResultObject<Data>.Member] {
        var members: [ResultObject<Data>.Member] = []
        // The names after which paths go on.
        var followed: [String] = []
        for expansion in expansions where expansion.path.mayPassCasts(entity, at: position) {
            let name = expansion.path.names[position]
            let known = members.firstIndex { $0.name.hasBytes(of: name) }
            guard expansion.isLast(at: position) else {
                guard !followed.contains(where: { $0.hasBytes(of: name) }) else { continue }
                followed.append(name)
                let inside = expansions.filter { other in
                    !other.isLast(at: position) && other.path.names[position].hasBytes(of: name)
                        && other.path.mayPassCasts(entity, at: position)
                }
                guard let data = known.map({ members[$0].value }) ?? entity.member(name) else { continue }
                var keptInside: Selection.Part? = .whole
                if known == nil {
                    keptInside = kept?.part(of: name, in: entity, declared: type, model)
                }
                let inner = try expandInside(
                    inside, data, at: position + 1, of: keptInside, type: structuredType(of: name, in: type))
                if let known {
                    members[known].value = inner
                } else {
                    members.append((name, inner))
                }
                continue
            }
            // An entity may have the types of several items, and shows the property as the first of them says.
            if expansion.isCount {
                guard !Self.hasCount(of: name, in: members) else { continue }
                let related = try expansion.collection(entity.member(name), in: &self)
                members.append((name + "@odata.count", .value(.int64(related.count ?? 0))))
            } else if known == nil, var value = try expansion.value(entity.member(name), in: &self) {
                if case .list(let found, _?) = value, Self.hasCount(of: name, in: members) {
                    value = .list(found, count: nil)
                }
                members.append((name, value))
            }
        }
        return members
    }

    /// Whether members have the number of the members of a collection, next to the collection or with it.
    private static func hasCount(of name: String, in members: [ResultObject<Data>.Member]) -> Bool {
        members.contains { member in
            if case .list(_, _?) = member.value, member.name.hasBytes(of: name) {
                return true
            }
            return member.name.hasBytes(of: name + "@odata.count")
        }
    }

    /// What is kept of a complex value, or of each in a collection, with what paths expand in it.
    ///
    /// - Parameter type: The declared type of the value.
    private mutating func expandInside(
        _ expansions: [PreparedOptions.Expansion], _ data: Node, at position: Int, of kept: Selection.Part?,
        type: String?
    ) throws(Fault) -> Node {
        if let elements = data.elements {
            let (members, count, keptInside) = try members(elements, leftBy: kept)
            var results: [Node] = []
            for member in members {
                results.append(try expandInside(expansions, member, at: position, of: keptInside, type: type))
            }
            return .list(results, count: count)
        }
        guard data.members != nil else {
            return data
        }
        let shown = try expanded(expansions, in: data, at: position, of: kept, type: type)
        var own: [ResultObject<Data>.Member] = []
        if let kept {
            own = try part(kept, of: data, type: type).members ?? []
        }
        let others = own.filter { member in
            !expansions.contains { $0.replaces(member.name, at: position) }
        }
        return .object(ResultObject(origin: data.origin, isWhole: false, members: others + shown))
    }

    /// The members of a collection that its options in `$select` leave, their number before `$skip` and `$top` if that
    /// is asked for, and what is kept of each.
    private mutating func members(
        _ elements: [Node], leftBy kept: Selection.Part?
    ) throws(Fault) -> (members: [Node], count: Int64?, kept: Selection.Part?) {
        var members = elements
        let options: PreparedOptions
        switch kept {
        case .options(let own)?: options = own
        case .members(let selection)?:
            // Options after a type are about the members of the type.
            guard let instances = selection.instances.first, let own = instances.options else {
                return (elements, nil, kept)
            }
            options = own
            members = elements.filter { instances.mayInclude($0, in: model) }
        case .whole?, nil: return (elements, nil, kept)
        }
        let (found, count) = try run(options.withoutProjection, onMembers: members, counts: options.counts)
        return (found, count, options.selection.map { .members($0) } ?? .whole)
    }

    // MARK: - $select

    /// The members of an object that a selection keeps.
    ///
    /// - Parameters:
    ///   - type: The declared type, of which members that the object lacks are null.
    ///   - expandedNames: The names of the members that expansions take the place of.
    private mutating func members(
        of object: Node, in selection: Selection, type: String? = nil, _ expandedNames: [String] = []
    ) throws(Fault) -> [ResultObject<Data>.Member] {
        var selected: [ResultObject<Data>.Member] = []
        // Many names may be selected of which few entities have any.
        selected.reserveCapacity(min(selection.names.count, 8))
        var system: [ResultObject<Data>.Member] = []
        var present: Set<ByteKey> = []
        try object.forEachMember { name, value throws(Fault) in
            guard !expandedNames.contains(where: { $0.hasBytes(of: name) }), !selection.countsAnew(name) else { return }
            if type != nil {
                present.insert(ByteKey(name))
            }
            if StoredRowMember.isNamed(name) {
                system.append((name, value))
            } else if let part = selection.part(ofOwn: name),
                selection.selects(name, of: object, declared: type, in: model)
            {
                if case .whole = part {
                    selected.append((name, value))
                } else {
                    selected.append((name, try self.part(part, of: value, type: structuredType(of: name, in: type))))
                }
            }
        }
        if let type {
            for name in selection.names where !present.contains(ByteKey(name)) && !StoredRowMember.isNamed(name) {
                guard !expandedNames.contains(where: { $0.hasBytes(of: name) }) else { continue }
                if model?.property(name, of: type) != nil,
                    selection.selects(name, of: object, declared: type, in: model)
                {
                    selected.append((name, .value(.null)))
                }
            }
        }
        selected += system
        return selected
    }

    /// The type that is declared for the complex values or entities of a member; nil if it is not known.
    private func structuredType(of member: String, in type: String?) -> String? {
        guard let model, let type, let declared = model.memberType(member, of: type) else { return nil }
        return StaticType(declared, in: model).element.structuredName
    }

    /// - Parameter type: The declared type of the value.
    private mutating func part(
        _ part: Selection.Part, of value: Node, type: String? = nil
    ) throws(Fault) -> Node {
        switch part {
        case .whole: return value
        case .options(let options):
            guard let elements = value.elements else {
                return try projectValue(value, options)
            }
            let (found, count) = try run(options, onMembers: elements, counts: options.counts)
            return .list(found, count: count)
        case .members(let inner): return try select(inner, from: value, type: type)
        }
    }

    /// What the options of an item of `$select` make of a complex value.
    private mutating func projectValue(_ value: Node, _ options: PreparedOptions) throws(Fault) -> Node {
        guard value.members != nil else {
            return value
        }
        var value = value
        try compute(options.computations, for: &value)
        return try project(value, options)
    }

    /// What a path of `$select` keeps of a complex value, or of each member of a collection.
    ///
    /// - Parameter type: The declared type, of which members that the value lacks are null.
    private mutating func select(
        _ selection: Selection, from value: Node, type: String?
    ) throws(Fault) -> Node {
        if let elements = value.elements {
            // Options after a type are about the members of the type.
            if let instances = selection.instances.first, let options = instances.options {
                let members = elements.filter { instances.mayInclude($0, in: model) }
                let (found, count) = try run(options, onMembers: members, counts: options.counts)
                return .list(found, count: count)
            }
            var results: [Node] = []
            for element in elements {
                results.append(try select(selection, from: element, type: type))
            }
            guard case .list(_, let count) = value else {
                return .list(results, count: nil)
            }
            return .list(results, count: count)
        }
        guard case .object = value.content else {
            return value
        }
        if let instances = selection.instances.first(where: { $0.mayInclude(value, in: model) }) {
            guard let options = instances.options else {
                return value
            }
            return try projectValue(value, options)
        }
        return .object(
            ResultObject(
                origin: value.origin, isWhole: false, members: try members(of: value, in: selection, type: type)))
    }
}

extension PreparedOptions.Expansion {
    /// Whether the name at a position of the path is that of the expanded property.
    fileprivate func isLast(at position: Int) -> Bool { position + 1 == path.names.count }

    /// Whether the expansion takes the place of a member.
    fileprivate func replaces(_ member: String, at position: Int) -> Bool {
        let name = path.names[position]
        return member.hasBytes(of: name)
            || isLast(at: position) && (isCount || options.counts) && member.hasBytes(of: name + "@odata.count")
    }

    /// The expanded value of a property: nil for an untyped property without data.
    fileprivate func value<Data>(
        _ data: ResultNode<Data>?, in execution: inout OptionExecution<Data>
    ) throws(Fault) -> ResultNode<Data>? {
        guard let data, !data.isNull else {
            if isCollection == true {
                // Steps of $apply make entities of nothing, so the options are applied to no members.
                let (found, count) = try collection(nil, in: &execution)
                return .list(found, count: options.counts ? count : nil)
            }
            return data == nil && isCollection == nil ? nil : .value(.null)
        }
        if showsMembersAsTheyAre, case .array = data.content {
            return data
        }
        if data.elements != nil {
            let (found, count) = try collection(data, in: &execution)
            return .list(found, count: options.counts ? count : nil)
        }
        guard data.members != nil else {
            return data
        }
        guard mayShow(data) else {
            return .value(.null)
        }
        let (found, _) = try execution.run(options, onMembers: [data], counts: false)
        return found.first.map(reference) ?? .value(.null)
    }

    /// The members of a collection that the nested options leave, and their number before `$skip` and `$top`.
    fileprivate func collection<Data>(
        _ data: ResultNode<Data>?, in execution: inout OptionExecution<Data>
    ) throws(Fault) -> (found: [ResultNode<Data>], count: Int64?) {
        var members = data?.elements ?? []
        if path.endsInType {
            members = members.filter { mayShow($0) }
        }
        let (found, count) = try execution.run(options, onMembers: members, counts: options.counts || isCount)
        return (isReference ? found.map(reference) : found, count)
    }

    /// With `/$ref` only the id of an entity, or its key if it has no id.
    private func reference<Data>(_ entity: ResultNode<Data>) -> ResultNode<Data> {
        guard isReference else {
            return entity
        }
        for name in ["@odata.id", "@id"] {
            if let id = entity.member(name) {
                return .object([("@odata.id", id)])
            }
        }
        return .object(keys.compactMap { name in entity.member(name).map { (name, $0) } })
    }
}
