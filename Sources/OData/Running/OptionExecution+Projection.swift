import Soups

extension OptionExecution {
    /// Applies `$expand` and `$select` to an entity. Without them it stays as it is.
    mutating func project(_ entity: Node, _ options: PreparedOptions) throws(Fault) -> Node {
        guard options.selection != nil || !options.expansions.isEmpty else {
            return entity
        }
        var expanded = try expanded(entity, options)
        var members = entity.members ?? []
        if !options.expansions.isEmpty {
            let names = Set(options.expandedNames.map { ByteKey($0) })
            members.removeAll { names.contains(ByteKey($0.name)) }
        }
        if let selection = options.selection {
            // Up to version 3.0, `$select=Items/Name` is about what `$expand=Items` shows.
            let whole = Set(options.expansions.filter { $0.path.names.count == 1 }.map { ByteKey($0.path.names[0]) })
            for index in expanded.indices where whole.contains(ByteKey(expanded[index].name)) {
                if case .members(let inner)? = selection.part(of: expanded[index].name) {
                    expanded[index].value = try select(inner, from: expanded[index].value)
                }
            }
            members = try within(entity) { execution throws(Fault) in
                try execution.members(of: members, in: selection, entityType: options.entityType)
            }
        }
        return .object(ResultObject(origin: entity.origin, isWhole: false, members: members + expanded))
    }

    // MARK: - $expand

    /// What `$expand` makes of an entity.
    mutating func expanded(
        _ entity: Node, _ options: PreparedOptions
    ) throws(Fault) -> [ResultObject<Data>.Member] {
        try within(entity) { execution throws(Fault) in
            var expanded: [ResultObject<Data>.Member] = []
            for expansion in options.expansions {
                try execution.expand(expansion, in: entity, at: expansion.path.names[...], into: &expanded)
            }
            return expanded
        }
    }

    /// Appends an expanded property to the members of a result.
    private mutating func expand(
        _ expansion: PreparedOptions.Expansion, in entity: Node, at path: ArraySlice<String>,
        into members: inout [ResultObject<Data>.Member]
    ) throws(Fault) {
        guard let name = path.first else { return }
        let known = members.firstIndex { $0.name.hasBytes(of: name) }
        let data = known.map { members[$0].value } ?? entity.member(name)
        guard path.count == 1 else {
            guard let data, let inner = try expandInside(expansion, data, path.dropFirst()) else { return }
            if let known {
                members[known].value = inner
            } else {
                members.append((name, inner))
            }
            return
        }
        if expansion.isCount {
            let related = try expansion.collection(data, in: &self)
            members.append((name + "@odata.count", .value(.int64(related.count ?? 0))))
        } else if let value = try expansion.value(data, in: &self) {
            members.append((name, value))
        }
    }

    /// The complex value or the collection with what a path expands in it.
    private mutating func expandInside(
        _ expansion: PreparedOptions.Expansion, _ data: Node, _ path: ArraySlice<String>
    ) throws(Fault) -> Node? {
        if let elements = data.elements {
            var results: [Node] = []
            for element in elements {
                results.append(try expandInside(expansion, element, path) ?? element)
            }
            return .list(results, count: nil)
        }
        guard let all = data.members else {
            return data
        }
        var expanded: [ResultObject<Data>.Member] = []
        try expand(expansion, in: data, at: path, into: &expanded)
        let name = path.first ?? ""
        let others = all.filter { !$0.name.hasBytes(of: name) }
        return .object(ResultObject(origin: data.origin, isWhole: false, members: others + expanded))
    }

    // MARK: - $select

    private mutating func members(
        of all: [ResultObject<Data>.Member], in selection: Selection, entityType: String?
    ) throws(Fault) -> [ResultObject<Data>.Member] {
        var selected: [ResultObject<Data>.Member] = []
        var system: [ResultObject<Data>.Member] = []
        for member in all {
            if Selection.isSystem(member.name) {
                system.append(member)
            } else if let part = selection.part(ofOwn: member.name) {
                selected.append((member.name, try self.part(part, of: member)))
            }
        }
        if let entityType {
            let present = Set(all.map { ByteKey($0.name) })
            for name in selection.names where !present.contains(ByteKey(name)) && !Selection.isSystem(name) {
                if model?.property(name, of: entityType) != nil {
                    selected.append((name, .value(.null)))
                }
            }
        }
        return selected + system
    }

    private mutating func part(
        _ part: Selection.Part, of member: ResultObject<Data>.Member
    ) throws(Fault) -> Node {
        switch part {
        case .whole: return member.value
        case .options(let options):
            guard let elements = member.value.elements else {
                return try project(member.value, options)
            }
            let (found, count) = try run(options, on: AnySequence(elements))
            return .list(found, count: count)
        case .members(let inner): return try select(inner, from: member.value)
        }
    }

    /// What a path of `$select` keeps of a complex value, or of each member of a collection.
    private mutating func select(_ selection: Selection, from value: Node) throws(Fault) -> Node {
        if let elements = value.elements {
            var results: [Node] = []
            for element in elements {
                results.append(try select(selection, from: element))
            }
            guard case .list(_, let count) = value else {
                return .list(results, count: nil)
            }
            return .list(results, count: count)
        }
        guard let all = value.members else {
            return value
        }
        return .object(
            ResultObject(
                origin: value.origin, isWhole: false,
                members: try members(of: all, in: selection, entityType: nil)))
    }
}

extension PreparedOptions.Expansion {
    /// The expanded value of a property: nil for an untyped property without data.
    fileprivate func value<Data>(
        _ data: ResultNode<Data>?, in execution: inout OptionExecution<Data>
    ) throws(Fault) -> ResultNode<Data>? {
        guard let data, !data.isNull else {
            if isCollection == true {
                return .list([], count: options.counts ? 0 : nil)
            }
            return data == nil && isCollection == nil ? nil : .value(.null)
        }
        if data.elements != nil {
            let (found, count) = try collection(data, in: &execution)
            return .list(found, count: options.counts ? count : nil)
        }
        guard data.members != nil else {
            return data
        }
        return try execution.run(options, on: AnySequence([data])).entities.first.map(reference) ?? .value(.null)
    }

    /// The members of a collection that the nested options leave, and their number before `$skip` and `$top`.
    fileprivate func collection<Data>(
        _ data: ResultNode<Data>?, in execution: inout OptionExecution<Data>
    ) throws(Fault) -> (found: [ResultNode<Data>], count: Int64?) {
        var counting = options
        counting.counts = counting.counts || isCount
        let (found, count) = try execution.run(counting, on: AnySequence(data?.elements ?? []))
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
