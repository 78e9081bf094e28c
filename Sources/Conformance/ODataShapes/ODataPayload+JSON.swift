public import JSONText
public import OData

extension ODataPayload {
    /// The payload in the form of the conformance vectors.
    public var json: JSONValue {
        switch self {
        case .feed(let feed): return feed.json
        case .entry(let entry): return entry.json
        case .error(let body): return body.json
        case .service(let document): return document.json
        case .property(let property, let context):
            var object = JSONObject([
                ("kind", "property"), ("name", .string(property.name)), ("value", property.value.json),
            ])
            if let type = property.statedType {
                object["type"] = .string(type)
            }
            if case .collection = property.value {
                object["values"] = property.value.json
            }
            if let count = property.page?.count {
                object["count"] = .number(JSONNumber(count))
            }
            if let nextLink = property.page?.nextLink {
                object["nextLink"] = .string(nextLink.resolved)
            }
            if let context {
                object["context"] = .string(context)
            }
            return .object(object)
        case .batch(let batch): return batch.json
        case .value(.text(let text)): return ["kind": "value", "text": .string(text)]
        case .value(.bytes(let bytes)): return ["kind": "value", "base64": .string(Base64.encode(bytes))]
        case .count(let count, let text):
            return ["kind": "count", "count": .number(JSONNumber(count)), "text": .string(text)]
        case .links(let links, let count, let nextLink):
            var object = JSONObject([("kind", "links"), ("links", .array(links.map { .string($0.resolved) }))])
            if let count {
                object["count"] = .number(JSONNumber(count))
            }
            if let nextLink {
                object["nextLink"] = .string(nextLink.resolved)
            }
            return .object(object)
        }
    }
}

extension ODataFeed {
    public var json: JSONValue {
        var object = JSONObject([("kind", isDelta ? "delta" : "feed"), ("entries", .array(entries.map(\.json)))])
        if let count {
            object["count"] = .number(JSONNumber(count))
        }
        if let nextLink {
            object["nextLink"] = .string(nextLink.resolved)
        }
        if let deltaLink {
            object["deltaLink"] = .string(deltaLink.resolved)
        }
        if let context {
            object["context"] = .string(context)
        }
        if isDelta {
            object["links"] = .array(links.map(\.json))
            object["changes"] = .array(changes.map { .object(json(of: $0)) })
        }
        return .object(object)
    }
}

extension ODataFeed {
    /// One change of a delta: an object with `entity`, `deleted`, `link` or `deletedLink`, and the entity set if the
    /// context names it.
    private func json(of change: Change) -> JSONObject {
        var object = JSONObject()
        switch change {
        case .entry(let entry): object[entry.deletion == nil ? "entity" : "deleted"] = entry.json
        case .link(let link): object[link.isDeleted ? "deletedLink" : "link"] = link.json
        }
        if let set = entitySet(of: change) {
            object["set"] = .string(set)
        }
        return object
    }
}

extension ODataFeed.DeltaLink {
    public var json: JSONValue {
        .object(
            JSONObject([
                ("source", source.map { .string($0.resolved) } ?? .null), ("relationship", .string(relationship)),
                ("target", target.map { .string($0.resolved) } ?? .null), ("deleted", .bool(isDeleted)),
            ]))
    }
}

extension ODataEntry {
    /// The entry in the form of the conformance vectors, without parts that the payload does not have.
    public var json: JSONValue {
        var object = JSONObject([("kind", "entry")])
        func add(_ name: String, _ text: String?) {
            if let text {
                object[name] = .string(text)
            }
        }
        add("id", id?.resolved)
        if isTransient {
            object["transient"] = true
        }
        if let deletion {
            object["deleted"] = true
            add("reason", deletion.reason)
            add("when", deletion.when)
            if properties.isEmpty {
                return .object(object)
            }
        }
        add("type", type)
        add("etag", etag)
        add("editLink", editLink?.resolved)
        add("readLink", readLink?.resolved)
        object["properties"] = .object(JSONObject(properties.map { ($0.name, $0.value.json) }))
        object["types"] = .object(
            JSONObject(properties.compactMap { property in property.statedType.map { (property.name, .string($0)) } }))
        object["navigation"] = .object(
            JSONObject(
                navigation.map { navigation in
                    switch navigation.content {
                    case .null: (navigation.name, .null)
                    case .entry(let entry): (navigation.name, entry.json)
                    case .feed(let feed): (navigation.name, feed.json)
                    }
                }))
        object["links"] = .array(
            links.map {
                .object(
                    JSONObject([
                        ("name", .string($0.name)), ("href", .string($0.href.resolved)),
                        ("kind", .string($0.kind.rawValue)),
                    ]))
            })
        if let media {
            object["media"] = media.json
        }
        if !annotations.isEmpty {
            object["annotations"] = .object(JSONObject(annotations.map { ($0.name, $0.value.json) }))
        }
        return .object(object)
    }
}

extension ODataEntry.Media {
    var json: JSONValue {
        var object = JSONObject()
        if let contentType {
            object["contentType"] = .string(contentType)
        }
        if let source {
            object["source"] = .string(source.resolved)
        }
        if let editLink {
            object["editLink"] = .string(editLink.resolved)
        }
        if let etag {
            object["etag"] = .string(etag)
        }
        return .object(object)
    }
}

extension ODataPayload.ErrorBody {
    var json: JSONValue {
        var object = JSONObject([("kind", "error"), ("code", .string(code)), ("message", .string(message))])
        if let language {
            object["language"] = .string(language)
        }
        if let target {
            object["target"] = .string(target)
        }
        object["details"] = .array(
            details.map { detail in
                var item = JSONObject([("code", .string(detail.code)), ("message", .string(detail.message))])
                if let target = detail.target {
                    item["target"] = .string(target)
                }
                return .object(item)
            })
        if let innerError {
            object["innerError"] = innerError
            object["innererror"] = innerError
        }
        if let innerMessage {
            object["innerMessage"] = .string(innerMessage)
        }
        return .object(object)
    }
}

extension ODataPayload.ServiceDocument {
    var json: JSONValue {
        var object = JSONObject([
            ("kind", "service"),
            (
                "sets",
                .array(
                    sets.map { set in
                        .object(
                            JSONObject([
                                ("name", .string(set.name)), ("url", .string(set.url.resolved)),
                                ("kind", .string(set.kind)),
                            ]))
                    })
            ),
        ])
        if let context {
            object["context"] = .string(context)
        }
        return .object(object)
    }
}
