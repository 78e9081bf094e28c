import JSONText

/// Writes payloads as JSON of each version.
struct JSONPayload {
    let context: MockContext
    let version: MockODataVersion

    private var format: MockFormat { context.format }

    /// The name of an annotation of the version.
    private func control(_ name: String) -> String {
        version == .v401 ? "@" + name : version == .v3 ? "odata." + name : "@odata." + name
    }

    private func contextURL(_ fragment: String) -> JSONValue { .string(context.root + "$metadata#" + fragment) }
    private var contextName: String { version == .v3 ? "odata.metadata" : control("context") }

    // MARK: - Pages and entities

    func page(_ page: OutPage) -> JSONValue {
        if format == .verbose {
            var inner = JSONObject([("results", .array(page.entities.map(entity)))])
            inner["__count"] = page.count.map { .string(String($0)) }
            inner["__next"] = page.next.map(JSONValue.string)
            return ["d": .object(inner)]
        }
        var result = JSONObject([(contextName, contextURL(page.isDelta ? page.set + "/$delta" : page.set))])
        result[control("count")] = page.count.map {
            version == .v3 ? .string(String($0)) : .number(JSONNumber(Int64($0)))
        }
        result["value"] = .array(page.items.map(item))
        result[control("nextLink")] = page.next.map(JSONValue.string)
        result[control("deltaLink")] = page.delta.map(JSONValue.string)
        return .object(result)
    }

    func single(_ entity: OutEntity) -> JSONValue {
        if format == .verbose {
            return ["d": self.entity(entity)]
        }
        let fragment = version == .v3 ? entity.set + "/@Element" : entity.set + "/$entity"
        let members = self.entity(entity).object?.members.map { ($0.name, $0.value) } ?? []
        return .object(JSONObject([(contextName, contextURL(fragment))] + members))
    }

    private func item(_ item: OutPage.Item) -> JSONValue {
        switch item {
        case .entity(let entity): return self.entity(entity)
        case .removed(let path, let reason):
            if version == .v401 {
                return ["@removed": ["reason": .string(reason)], "@id": .string(path)]
            }
            return [
                "@odata.context": .string("#" + path.prefix { $0 != "(" } + "/$deletedEntity"), "id": .string(path),
                "reason": .string(reason),
            ]
        case .link(let source, let name, let target, let isRemoved):
            let set = source.prefix { $0 != "(" }
            return .object(
                JSONObject([
                    (control("context"), .string("#\(set)/\(isRemoved ? "$deletedLink" : "$link")")),
                    ("source", .string(source)), ("relationship", .string(name)), ("target", .string(target)),
                ]))
        }
    }

    func entity(_ entity: OutEntity) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if format == .verbose {
            var metadata: JSONObject = ["uri": .string(entity.url), "type": .string(entity.type)]
            metadata["etag"] = entity.etag.map(JSONValue.string)
            members.append(("__metadata", .object(metadata)))
        } else if let etag = entity.etag {
            members.append((control("etag"), .string(etag)))
        }
        members += entity.values.map { ($0.property.name, value($0.value, $0.property)) }
        for navigation in entity.navigations {
            switch navigation.content {
            case .deferred:
                if format == .verbose {
                    let url = entity.url + "/" + navigation.name
                    members.append((navigation.name, ["__deferred": ["uri": .string(url)]]))
                }
            case .entity(let inner): members.append((navigation.name, inner.map(self.entity) ?? .null))
            case .feed(let inner):
                let list = JSONValue.array(inner.map(self.entity))
                members.append((navigation.name, format == .verbose ? ["results": list] : list))
            }
        }
        return .object(JSONObject(members))
    }

    private func value(_ value: JSONValue, _ property: MockProperty) -> JSONValue {
        if property.isCollection {
            var item = property
            item.isCollection = false
            let items = JSONValue.array((value.array ?? []).map { self.value($0, item) })
            return format == .verbose ? ["results": items] : items
        }
        let quotes = !version.isV4 || context.quotesNumbers
        if quotes, property.type == "Edm.Int64" || property.type == "Edm.Decimal", let number = value.number {
            return .string(number.text)
        }
        if format == .verbose, property.type == "Edm.DateTime", let time = value.string.flatMap(PlainDate.milliseconds)
        {
            return .string("/Date(\(time))/")
        }
        return value
    }

    // MARK: - Other payloads

    func property(_ value: JSONValue, _ property: MockProperty) -> JSONValue {
        let written = self.value(value, property)
        if format == .verbose {
            return ["d": .object(JSONObject([(property.name, written)]))]
        }
        return .object(JSONObject([(contextName, contextURL(property.type)), ("value", written)]))
    }

    func links(_ urls: [String], isCollection: Bool) -> JSONValue {
        if format == .verbose || version == .v3 {
            let name = format == .verbose ? "uri" : "url"
            let list = urls.map { JSONValue.object(JSONObject([(name, .string($0))])) }
            let whole = isCollection ? JSONValue.array(list) : list.first ?? .null
            guard format == .verbose else { return isCollection ? ["value": whole] : whole }
            return ["d": isCollection ? ["results": whole] : whole]
        }
        let list = urls.map { JSONValue.object(JSONObject([(control("id"), .string($0))])) }
        guard isCollection else {
            return .object(
                JSONObject([
                    (contextName, contextURL("$ref")), (control("id"), urls.first.map(JSONValue.string) ?? .null),
                ]))
        }
        return .object(JSONObject([(contextName, contextURL("Collection($ref)")), ("value", .array(list))]))
    }

    func service(_ sets: [String]) -> JSONValue {
        if format == .verbose {
            return ["d": ["EntitySets": .array(sets.map(JSONValue.string))]]
        }
        let list = sets.map { set -> JSONValue in ["name": .string(set), "kind": "EntitySet", "url": .string(set)] }
        return .object(JSONObject([(contextName, .string(context.root + "$metadata")), ("value", .array(list))]))
    }

    func error(_ error: OutError) -> JSONValue {
        if version.isV4 {
            var inner: JSONObject = ["code": .string(error.code), "message": .string(error.message)]
            inner["target"] = error.target.map(JSONValue.string)
            return ["error": .object(inner)]
        }
        let inner: JSONValue = [
            "code": .string(error.code), "message": ["lang": "en", "value": .string(error.message)],
        ]
        return version == .v3 && format != .verbose ? ["odata.error": inner] : ["error": inner]
    }
}
