import JSONText
import ServiceTransport
import Soups

// What is created, changed and deleted.
extension MockODataState {
    private func body(_ context: MockContext, _ set: String) throws(Refusal) -> InEntity {
        let type = (context.header("content-type") ?? "").lowercased()
        let isAtom = type.contains("atom") || type.contains("application/xml")
        guard !isAtom || !version.isV4 else {
            throw Refusal(415, "UnsupportedMediaType", "the service reads JSON")
        }
        let bytes = context.request.body ?? []
        return try BodyReader(model: model, version: version).entity(bytes, isAtom: isAtom, set: set)
    }

    // MARK: - Creating

    mutating func create(_ context: MockContext, in set: String) throws(Refusal) -> MockReply {
        let body = try body(context, set)
        return try create(body, context, in: set)
    }

    /// Creates an entity below another one: it refers to that.
    mutating func createRelated(_ context: MockContext, to set: String, _ key: String) throws(Refusal) -> MockReply {
        let parent = try existing(set, key)
        guard let navigation = model.type(of: set).navigation(context.route.name ?? ""), navigation.isCollection,
            let target = model.target(of: navigation, in: set)
        else { throw .notFound }
        var body = try body(context, target)
        for pair in navigation.pairs {
            body.values[pair.foreign] = parent.values[pair.local]
        }
        let before = data
        let reply = try create(body, context, in: target)
        if navigation.pairs.isEmpty, let new = data.changes(after: before.number)?.first(where: { $0.set == target }) {
            data.link(.init(set: set, key: key, name: navigation.name), to: new.key, of: target)
        }
        return reply
    }

    private mutating func create(_ body: InEntity, _ context: MockContext, in set: String) throws(Refusal) -> MockReply
    {
        let before = data
        let entity: MockEntity
        do throws(Refusal) {
            entity = try insert(body, in: set)
        } catch {
            data = before
            throw error
        }
        if let id = context.header("content-id") {
            created[id] = (set, entity.key)
        }
        let url = context.root + path(entity, in: set)
        var headers = context.spoils.contains(.withoutKey) ? [] : [Pair("Location", url)]
        let wantsNothing = context.prefers("return=minimal") || context.prefers("return-no-content")
        if let applied = appliedPreference(context) {
            headers.append(Pair("Preference-Applied", applied))
        }
        guard wantsNothing else {
            return try entityReply(201, entity, set, context, headers: headers)
        }
        if !context.spoils.contains(.withoutKey) {
            headers.append(Pair(version.isV4 ? "OData-EntityId" : "DataServiceId", url))
        }
        return MockReply(204, versionHeaders + headers + etagHeader(entity, context))
    }

    private func etagHeader(_ entity: MockEntity, _ context: MockContext) -> [Pair] {
        context.spoils.contains(.withoutETag) ? [] : etag(entity).map { [Pair("ETag", $0)] } ?? []
    }

    private func appliedPreference(_ context: MockContext) -> String? {
        let names =
            version.isV4 ? ["return=minimal", "return=representation"] : ["return-no-content", "return-content"]
        return names.first { context.prefers($0) }
    }

    /// Adds an entity and those that came with it.
    private mutating func insert(_ body: InEntity, in set: String) throws(Refusal) -> MockEntity {
        let type = model.type(of: set)
        var values = JSONObject()
        for property in type.properties where !property.isComputed {
            values[property.name] = body.values[property.name] ?? .null
        }
        try bind(body.binds, &values, set, nil)
        // Entities that this one refers to come first, so that it can have their keys.
        for (name, entities) in body.nested {
            guard let navigation = type.navigation(name), !navigation.isCollection, let inner = entities.first,
                let target = model.target(of: navigation, in: set)
            else { continue }
            let other = try insert(inner, in: target)
            for pair in navigation.pairs {
                values[pair.local] = other.values[pair.foreign]
            }
        }
        try giveKey(&values, type, set)
        for property in type.properties where property.isComputed {
            values[property.name] = computed(property, version: 1)
        }
        for property in type.properties where !property.isNullable && (values[property.name] ?? .null).isNull {
            throw Refusal(400, "BadRequest", "'\(property.name)' cannot be null", target: property.name)
        }
        try checkReferences(values, type, set)
        guard let key = data.key(of: values, in: set) else {
            throw Refusal(400, "BadRequest", "the key is not complete")
        }
        guard data.entity(set, key) == nil else {
            throw Refusal(409, "Conflict", "there is an entity with this key")
        }
        let entity = MockEntity(key: key, values: values)
        data.save(entity, in: set)
        var unused = values
        try bind(body.binds, &unused, set, entity)
        for (name, entities) in body.nested {
            guard let navigation = type.navigation(name), navigation.isCollection,
                let target = model.target(of: navigation, in: set)
            else { continue }
            for inner in entities {
                var inner = inner
                for pair in navigation.pairs {
                    inner.values[pair.foreign] = values[pair.local]
                }
                let other = try insert(inner, in: target)
                if navigation.pairs.isEmpty {
                    data.link(.init(set: set, key: key, name: name), to: other.key, of: target)
                }
            }
        }
        return entity
    }

    private func computed(_ property: MockProperty, version: Int) -> JSONValue {
        switch property.type {
        case "Edm.DateTimeOffset": .string(PlainDate.text(now) + "Z")
        case "Edm.DateTime": .string(PlainDate.text(now))
        case "Edm.String": .string("computed \(version)")
        default: .number(JSONNumber(Int64(version)))
        }
    }

    /// Makes the key of a new entity for which the client gives no key.
    private mutating func giveKey(_ values: inout JSONObject, _ type: MockEntityType, _ set: String) throws(Refusal) {
        guard type.key.count == 1, let name = type.key.first else { return }
        let isGiven = values[name].map { !$0.isNull } ?? false
        let property = type.property(name)?.type ?? ""
        let isReference = type.navigations.contains { $0.isDependent && $0.pairs.contains { $0.local == name } }
        guard !isReference, !isGiven || !options.takesKeys else { return }
        switch property {
        case "Edm.Byte", "Edm.SByte", "Edm.Int16", "Edm.Int32", "Edm.Int64", "Edm.Decimal":
            values[name] = .number(JSONNumber(data.nextNumber(in: set)))
        case "Edm.Guid":
            let digits = String(data.nextNumber(in: set), radix: 16)
            let padding = String(repeating: "0", count: 12 - digits.utf8.count)
            values[name] = .string("00000000-0000-4000-8000-" + padding + digits)
        default: break
        }
    }

    /// Throws 400 for a reference to an entity that is not there.
    private func checkReferences(_ values: JSONObject, _ type: MockEntityType, _ set: String) throws(Refusal) {
        for navigation in type.navigations where navigation.isDependent {
            guard let target = model.target(of: navigation, in: set),
                !navigation.pairs.contains(where: { (values[$0.local] ?? .null).isNull })
            else { continue }
            let wanted = JSONObject(navigation.pairs.map { ($0.foreign, values[$0.local] ?? .null) })
            guard data.key(of: wanted, in: target).flatMap({ data.entity(target, $0) }) != nil else {
                throw Refusal(
                    400, "BadRequest", "the entity of '\(navigation.name)' does not exist", target: navigation.name)
            }
        }
    }

    /// Follows links of a body: references become values, the others are kept apart once the entity is there.
    private mutating func bind(
        _ binds: [(name: String, urls: [String])], _ values: inout JSONObject, _ set: String, _ entity: MockEntity?
    ) throws(Refusal) {
        for (name, urls) in binds {
            guard let navigation = model.type(of: set).navigation(name) else {
                throw Refusal(400, "BadRequest", "the type has no navigation property '\(name)'", target: name)
            }
            if urls.isEmpty, navigation.isDependent {
                for pair in navigation.pairs {
                    values[pair.local] = .null
                }
            }
            for url in urls {
                guard let target = target(ofURL: url), let other = data.entity(target.set, target.key) else {
                    throw Refusal(400, "BadRequest", "the entity of '\(name)' does not exist", target: name)
                }
                if navigation.isDependent {
                    for pair in navigation.pairs {
                        values[pair.local] = other.values[pair.foreign]
                    }
                } else if let entity {
                    try connect(entity, set, navigation, other, target.set)
                }
            }
        }
    }

    /// Links two entities by a navigation property of the first that does not keep the reference.
    private mutating func connect(
        _ entity: MockEntity, _ set: String, _ navigation: MockNavigation, _ other: MockEntity, _ target: String
    ) throws(Refusal) {
        guard !navigation.pairs.isEmpty else {
            data.link(.init(set: set, key: entity.key, name: navigation.name), to: other.key, of: target)
            return
        }
        var changed = other
        for pair in navigation.pairs {
            changed.values[pair.foreign] = entity.values[pair.local]
        }
        changed.version += 1
        data.save(changed, in: target)
    }

    // MARK: - Changing

    /// Throws 412 or 428 for a condition of the request that the entity does not meet.
    private func checkCondition(_ entity: MockEntity, _ context: MockContext) throws(Refusal) {
        guard options.etags != .none else { return }
        guard let wanted = context.header("if-match") else {
            guard !options.requiresETag else {
                throw Refusal(428, "PreconditionRequired", "the request needs If-Match")
            }
            return
        }
        guard wanted == "*" || wanted == etag(entity) else {
            throw Refusal(412, "PreconditionFailed", "the entity was changed since")
        }
    }

    mutating func update(_ context: MockContext, _ set: String, _ key: String) throws(Refusal) -> MockReply {
        guard var entity = data.entity(set, key) else {
            guard version.isV4, options.takesKeys, context.header("if-none-match") == "*" else {
                throw Refusal(404, "NotFound", "there is no such entity")
            }
            return try create(context, in: set)
        }
        if context.header("if-none-match") == "*" {
            throw Refusal(412, "PreconditionFailed", "the entity exists")
        }
        try checkCondition(entity, context)
        let body = try body(context, set)
        let type = model.type(of: set)
        let before = entity.values
        for property in type.properties where !type.key.contains(property.name) {
            if property.isComputed {
                entity.values[property.name] = computed(property, version: entity.version + 1)
            } else if let value = body.values[property.name] {
                entity.values[property.name] = value
            } else if context.route.call == .replace {
                guard property.isNullable else {
                    throw Refusal(400, "BadRequest", "'\(property.name)' cannot be null", target: property.name)
                }
                entity.values[property.name] = .null
            }
        }
        try bind(body.binds, &entity.values, set, nil)
        try checkReferences(entity.values, type, set)
        entity.version += 1
        data.save(entity, in: set)
        var unused = before
        try bind(body.binds, &unused, set, entity)
        guard context.prefers("return=representation") || context.prefers("return-content") else {
            return MockReply(204, versionHeaders + etagHeader(entity, context))
        }
        return try entityReply(200, entity, set, context)
    }

    // MARK: - Deleting

    mutating func delete(_ context: MockContext, _ set: String, _ key: String) throws(Refusal) -> MockReply {
        try checkCondition(try existing(set, key), context)
        let before = data
        do throws(Refusal) {
            try remove(set, key, depth: 0)
        } catch {
            data = before
            throw error
        }
        return MockReply(204, versionHeaders)
    }

    /// Removes an entity with those that go with it.
    mutating func remove(_ set: String, _ key: String, depth: Int) throws(Refusal) {
        guard let entity = data.entity(set, key), depth < 16 else { return }
        for navigation in model.type(of: set).navigations where !navigation.isDependent && !navigation.pairs.isEmpty {
            let (target, dependents) = data.related(entity, in: set, by: navigation)
            for other in dependents {
                if navigation.cascades {
                    try remove(target, other.key, depth: depth + 1)
                    continue
                }
                let isRequired = navigation.pairs.contains {
                    model.type(of: target).property($0.foreign)?.isNullable == false
                }
                guard !options.refusesReferring, !isRequired else {
                    throw Refusal(409, "Conflict", "entities of \(target) refer to it")
                }
                var changed = other
                for pair in navigation.pairs {
                    changed.values[pair.foreign] = .null
                }
                changed.version += 1
                data.save(changed, in: target)
            }
        }
        data.remove(key, from: set)
    }

    // MARK: - Links

    mutating func changeLinks(_ context: MockContext, _ set: String, _ key: String) throws(Refusal) -> MockReply {
        var entity = try existing(set, key)
        guard let navigation = model.type(of: set).navigation(context.route.name ?? ""),
            let target = model.target(of: navigation, in: set)
        else { throw .notFound }
        if context.request.method == "GET" {
            let urls = data.related(entity, in: set, by: navigation).1.map { context.root + path($0, in: target) }
            let isCollection = navigation.isCollection
            return reply(
                200, context, atom: { $0.links(urls, isCollection: isCollection) },
                json: { $0.links(urls, isCollection: isCollection) })
        }
        guard context.request.method != "DELETE" else {
            try unlink(context, &entity, set, navigation, target)
            return MockReply(204, versionHeaders)
        }
        let type = (context.header("content-type") ?? "").lowercased()
        let url = try BodyReader(model: model, version: version).link(
            context.request.body ?? [], isAtom: type.contains("xml"))
        guard let named = self.target(ofURL: url), let other = data.entity(named.set, named.key) else {
            throw .malformed("the link leads to no entity")
        }
        guard navigation.isDependent else {
            try connect(entity, set, navigation, other, named.set)
            return MockReply(204, versionHeaders)
        }
        for pair in navigation.pairs {
            entity.values[pair.local] = other.values[pair.foreign]
        }
        entity.version += 1
        data.save(entity, in: set)
        return MockReply(204, versionHeaders)
    }

    private mutating func unlink(
        _ context: MockContext, _ entity: inout MockEntity, _ set: String, _ navigation: MockNavigation,
        _ target: String
    ) throws(Refusal) {
        if navigation.isDependent {
            for pair in navigation.pairs {
                entity.values[pair.local] = .null
            }
            entity.version += 1
            data.save(entity, in: set)
            return
        }
        let query = context.request.target
        let named = query.firstIndex(of: "?").flatMap { mark -> String? in
            let id = query[mark...].dropFirst().split(separator: "&").first {
                $0.hasPrefix("$id=") || $0.hasPrefix("%24id=")
            }
            return id.flatMap { $0.drop { $0 != "=" }.dropFirst().utf8.percentDecoded() }
        }
        var key: String?
        if let predicate = context.route.linkPredicate {
            key = try self.key(predicate, in: target)
        } else if let named {
            key = self.target(ofURL: named)?.key
        }
        guard let key, var other = data.entity(target, key) else { throw .notFound }
        guard !navigation.pairs.isEmpty else {
            data.unlink(.init(set: set, key: entity.key, name: navigation.name), from: key, of: target)
            return
        }
        for pair in navigation.pairs {
            other.values[pair.foreign] = .null
        }
        other.version += 1
        data.save(other, in: target)
    }
}
