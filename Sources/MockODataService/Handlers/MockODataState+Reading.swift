import JSONText
import ServiceTransport

// Entities, pages and changes as they are asked for.
extension MockODataState {
    /// The text of the ETag of an entity; nil if the service has none.
    func etag(_ entity: MockEntity) -> String? {
        switch options.etags {
        case .none: nil
        case .weak: "W/\"\(entity.version)\""
        case .strong: "\"\(entity.version)\""
        }
    }

    /// The query of a request. Throws 400 and 501.
    func query(_ context: MockContext) throws(Refusal) -> PlainQuery {
        let target = context.request.target
        guard let mark = target.firstIndex(of: "?") else { return PlainQuery() }
        return try PlainQuery(String(target[target.index(after: mark)...]), version)
    }

    func path(_ entity: MockEntity, in set: String) -> String {
        set + URLText.encoded(data.predicate(of: entity.values, in: set, version))
    }

    /// The entity as it is written, with its expansions.
    func out(
        _ entity: MockEntity, _ set: String, _ query: PlainQuery, _ context: MockContext
    ) throws(Refusal) -> OutEntity {
        let type = model.type(of: set)
        let path = path(entity, in: set)
        var values: [(property: MockProperty, value: JSONValue)] = []
        for property in type.properties {
            guard query.select.map({ $0.contains(property.name) || $0.contains("*") }) ?? true else { continue }
            if context.spoils.contains(.withoutKey), type.key.contains(property.name) {
                continue
            }
            values.append((property, entity.values[property.name] ?? .null))
        }
        if context.spoils.contains(.reservedMembers) {
            values.append((MockProperty(name: "_soupEntryId", type: "Edm.Int32"), 999))
            values.append((MockProperty(name: "__key__", type: "Edm.String"), "spoiled"))
        }
        let url = context.spoils.contains(.withoutKey) ? "" : context.root + path
        var result = OutEntity(
            set: set, type: type.name, values: values,
            etag: context.spoils.contains(.withoutETag) ? nil : etag(entity), url: url,
            path: context.spoils.contains(.withoutKey) ? "" : path)
        for item in query.expand where type.navigation(item.name) == nil {
            throw Refusal(400, "BadRequest", "the type has no navigation property '\(item.name)'", target: item.name)
        }
        for navigation in type.navigations {
            guard let item = query.expand.first(where: { $0.name == navigation.name }) else {
                result.navigations.append(
                    OutNavigation(name: navigation.name, isCollection: navigation.isCollection, content: .deferred))
                continue
            }
            let (target, found) = data.related(entity, in: set, by: navigation)
            var inner: [OutEntity] = []
            for other in ordered(found.filter { passes($0, target, item.query.filter) }, target, item.query.orderBy)
                .dropFirst(item.query.skip).prefix(item.query.top ?? .max)
            {
                inner.append(try out(other, target, item.query, context))
            }
            result.navigations.append(
                OutNavigation(
                    name: navigation.name, isCollection: navigation.isCollection,
                    content: navigation.isCollection ? .feed(inner) : .entity(inner.first)))
        }
        return result
    }

    /// What a path of a filter leads to, and its declared type.
    private func look(_ path: [String], _ entity: MockEntity, _ set: String) -> (JSONValue?, type: String?) {
        let type = model.type(of: set)
        guard let first = path.first else { return (nil, nil) }
        if let navigation = type.navigation(first) {
            let (target, found) = data.related(entity, in: set, by: navigation)
            guard !navigation.isCollection else { return (.array(found.map { .object($0.values) }), nil) }
            guard path.count > 1 else { return (found.first.map { .object($0.values) }, nil) }
            return (found.first?.values[path[1]], model.type(of: target).property(path[1])?.type)
        }
        let value = entity.values[first]
        return path.count > 1 ? (value?[path[1]], nil) : (value, type.property(first)?.type)
    }

    func passes(_ entity: MockEntity, _ set: String, _ filter: PlainFilter?) -> Bool {
        filter?.passes { path in look(path, entity, set) } ?? true
    }

    private func ordered(
        _ entities: [MockEntity], _ set: String, _ items: [(path: [String], isDescending: Bool)]
    ) -> [MockEntity] {
        guard !items.isEmpty else { return entities }
        let keyed = entities.enumerated().map { index, entity in
            let keys = items.map { item in
                let found = look(item.path, entity, set)
                return PlainValue(found.0, type: found.type)
            }
            return (index: index, entity: entity, keys: keys)
        }
        return keyed.sorted { a, b in
            for (index, item) in items.enumerated() {
                let (left, right) = item.isDescending ? (b, a) : (a, b)
                if left.keys[index].isBefore(right.keys[index]) {
                    return true
                }
                if right.keys[index].isBefore(left.keys[index]) {
                    return false
                }
            }
            return a.index < b.index
        }.map(\.entity)
    }

    /// The entities that a filter lets through.
    func found(_ context: MockContext, in set: String) throws(Refusal) -> [MockEntity] {
        let filter = try query(context).filter
        return data.table(set).entities.filter { passes($0, set, filter) }
    }

    // MARK: - Pages

    func page(_ context: MockContext, of set: String) throws(Refusal) -> MockReply {
        let query = try query(context)
        var page: OutPage
        if let token = query.deltaToken {
            page = try changes(context, set, query, after: token)
        } else {
            page = try entities(context, set, query)
        }
        spoil(&page, context)
        var headers: [Pair] = []
        if version.isV4, context.prefers("track-changes") {
            headers.append(Pair("Preference-Applied", version == .v4 ? "odata.track-changes" : "track-changes"))
        }
        let written = page
        return reply(
            200, context, headers: headers, kind: "feed", atom: { $0.page(written) }, json: { $0.page(written) })
    }

    private func entities(_ context: MockContext, _ set: String, _ query: PlainQuery) throws(Refusal) -> OutPage {
        let size = max(1, min(options.pageSize, context.wantedPageSize ?? .max))
        // The slot or position to go on at, the number of changes at the first page, and what $top has left.
        let token = (query.skipToken ?? "").split(separator: ".").compactMap { Int($0) }
        guard query.skipToken == nil || token.count == 3 else {
            throw Refusal(404, "NotFound", "the link to the next page is not known")
        }
        let start = token.first ?? 0
        let changes = token.count > 1 ? token[1] : data.number
        let left = token.count > 2 && token[2] >= 0 ? token[2] : query.top
        let all = data.table(set)
        var shown: [MockEntity] = []
        var next: Int?
        let wanted = min(size, left ?? .max)
        if query.orderBy.isEmpty {
            var (position, skipped) = (start, query.skipToken == nil ? 0 : query.skip)
            while position < all.slots.count {
                if let entity = all.slots[position], passes(entity, set, query.filter) {
                    if skipped < query.skip {
                        skipped += 1
                    } else if shown.count == wanted {
                        next = position
                        break
                    } else {
                        shown.append(entity)
                    }
                }
                position += 1
            }
        } else {
            let sorted = ordered(all.entities.filter { passes($0, set, query.filter) }, set, query.orderBy)
            let begin = query.skipToken == nil ? query.skip : start
            shown = Array(sorted.dropFirst(begin).prefix(wanted))
            next = begin + shown.count < sorted.count ? begin + shown.count : nil
        }
        let rest = left.map { $0 - shown.count }
        if let rest, rest <= 0 {
            next = nil
        }
        var items: [OutPage.Item] = []
        for entity in shown {
            items.append(.entity(try out(entity, set, query, context)))
        }
        var page = OutPage(set: set, items: items)
        if query.counts {
            page.count = all.entities.count { passes($0, set, query.filter) }
        }
        if let next {
            page.next = link(context, set, query, "$skiptoken=\(next).\(changes).\(rest ?? -1)")
        } else if version.isV4, context.prefers("track-changes"), query.top == nil, query.skip == 0 {
            page.delta = link(context, set, query, "$deltatoken=\(changes)")
        }
        return page
    }

    private func link(_ context: MockContext, _ set: String, _ query: PlainQuery, _ token: String) -> String {
        context.root + set + "?" + (query.repeated.isEmpty ? "" : query.repeated + "&") + token
    }

    /// The last change of each entity after the number of a link.
    private func changes(
        _ context: MockContext, _ set: String, _ query: PlainQuery, after token: String
    ) throws(Refusal) -> OutPage {
        guard let number = Int(token), let all = data.changes(after: number) else {
            throw Refusal(410, "Gone", "the link to changes has expired")
        }
        let own = all.filter { $0.set == set }
        var last: [String: Int] = [:]
        for change in own where change.isOfEntity {
            last[change.key] = change.number
        }
        let size = max(1, min(options.pageSize, context.wantedPageSize ?? .max))
        var page = OutPage(set: set, items: [])
        page.isDelta = true
        for change in own where !change.isOfEntity || last[change.key] == change.number {
            guard page.items.count < size else {
                let last = own.last { $0.number < change.number }?.number ?? number
                page.next = link(context, set, query, "$deltatoken=\(last)&$skiptoken=\(last).\(last).-1")
                return page
            }
            page.items.append(try item(change, query, context))
        }
        page.delta = link(context, set, query, "$deltatoken=\(data.number)")
        return page
    }

    private func item(
        _ change: MockData.Change, _ query: PlainQuery, _ context: MockContext
    ) throws(Refusal) -> OutPage.Item {
        let set = change.set
        let entity = data.entity(set, change.key)
        switch change.kind {
        case .saved, .deleted:
            if let entity, passes(entity, set, query.filter) {
                return .entity(try out(entity, set, query, context))
            }
            let predicate = data.predicate(of: entity?.values ?? change.identity, in: set, version)
            return .removed(path: set + URLText.encoded(predicate), reason: entity == nil ? "deleted" : "changed")
        case .linked(let name, let target, let key), .unlinked(let name, let target, let key):
            let other = data.entity(target, key)
            var isRemoved = false
            if case .unlinked = change.kind {
                isRemoved = true
            }
            return .link(
                source: entity.map { path($0, in: set) } ?? "", name: name,
                target: other.map { path($0, in: target) } ?? "", isRemoved: isRemoved)
        }
    }

    private func spoil(_ page: inout OutPage, _ context: MockContext) {
        if context.spoils.contains(.doubledEntity), let first = page.items.first {
            page.items.append(first)
        }
        if context.spoils.contains(.bothLinks) {
            page.next = page.next ?? context.root + page.set + "?$skiptoken=0.0.-1"
            page.delta = page.delta ?? context.root + page.set + "?$deltatoken=0"
        }
        if context.spoils.contains(.repeatedLink) {
            let own = context.root + context.request.target.dropFirst(options.root.utf8.count)
            page.next = own
            page.delta = nil
        }
        if context.spoils.contains(.foreignLink) {
            page.next = "http://elsewhere.example" + options.root + page.set + "?$skiptoken=1"
            page.delta = nil
        }
    }

    // MARK: - Single entities

    func existing(_ set: String, _ key: String) throws(Refusal) -> MockEntity {
        guard let entity = data.entity(set, key) else {
            throw Refusal(404, "NotFound", "there is no such entity")
        }
        return entity
    }

    func entity(_ context: MockContext, _ set: String, _ key: String) throws(Refusal) -> MockReply {
        let entity = try existing(set, key)
        if let known = context.header("if-none-match"), known == etag(entity) {
            return MockReply(304, versionHeaders)
        }
        return try entityReply(200, entity, set, context, query: try query(context))
    }

    /// An answer with an entity.
    func entityReply(
        _ status: Int, _ entity: MockEntity, _ set: String, _ context: MockContext, query: PlainQuery = PlainQuery(),
        headers: [Pair] = []
    ) throws(Refusal) -> MockReply {
        let written = try out(entity, set, query, context)
        let etag = written.etag.map { [Pair("ETag", $0)] } ?? []
        return reply(
            status, context, headers: headers + etag, kind: "entry", atom: { $0.single(written) },
            json: { $0.single(written) })
    }

    func property(_ context: MockContext, _ set: String, _ key: String) throws(Refusal) -> MockReply {
        let entity = try existing(set, key)
        guard let property = model.type(of: set).property(context.route.name ?? "") else { throw .notFound }
        let value = entity.values[property.name] ?? .null
        if value.isNull, version.isV4 || context.route.isRaw {
            return context.route.isRaw && !version.isV4
                ? reply(.notFound, context.format) : MockReply(204, versionHeaders)
        }
        if context.route.isRaw {
            return MockReply(
                200, [Pair("Content-Type", "text/plain")] + versionHeaders, Array((value.string ?? value.text()).utf8))
        }
        return reply(
            200, context, atom: { $0.property(value, property) }, json: { $0.property(value, property) })
    }

    func navigation(_ context: MockContext, _ set: String, _ key: String) throws(Refusal) -> MockReply {
        let entity = try existing(set, key)
        guard let navigation = model.type(of: set).navigation(context.route.name ?? "") else { throw .notFound }
        let (target, found) = data.related(entity, in: set, by: navigation)
        let query = try query(context)
        guard navigation.isCollection else {
            guard let first = found.first else { return MockReply(204, versionHeaders) }
            return try entityReply(200, first, target, context, query: query)
        }
        let passing = ordered(found.filter { passes($0, target, query.filter) }, target, query.orderBy)
        var page = OutPage(set: target, items: [])
        for other in passing.dropFirst(query.skip).prefix(query.top ?? .max) {
            page.items.append(.entity(try out(other, target, query, context)))
        }
        page.count = query.counts ? passing.count : nil
        let written = page
        return reply(200, context, kind: "feed", atom: { $0.page(written) }, json: { $0.page(written) })
    }
}

extension MockData.Change {
    /// Whether it is about the entity, not about a link of it.
    var isOfEntity: Bool {
        switch kind {
        case .saved, .deleted: true
        case .linked, .unlinked: false
        }
    }
}
