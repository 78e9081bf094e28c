public import JSONText
public import OData

extension ODataURL {
    /// The URL in the form of the conformance vectors: `{"resource": [...], "options": {...}}`.
    public var json: JSONValue {
        let options = options.json
        var members: [(String, JSONValue)] = [("resource", resourceJSON), ("options", options)]
        // The vectors have these two both as options and as separate members.
        for name in ["custom", "aliases"] {
            if let value = options[name] {
                members.append((name, value))
            }
        }
        return .object(JSONObject(members))
    }

    private var resourceJSON: JSONValue {
        var result: [JSONObject] = []
        var keys: [JSONValue] = []
        for segment in resource {
            // A key segment belongs to the segment before it.
            if segment.kind == .keySegment, var owner = result.popLast() {
                keys.append(segment.keyJSON)
                owner["key"] = keys.count == 1 ? keys[0] : .array(keys)
                result.append(owner)
            } else {
                keys = []
                result.append(segment.json)
            }
        }
        return .array(result.map(JSONValue.object))
    }
}

extension ResourceSegment {
    /// A key segment has no quotes. Digits are an integer, anything else is a string.
    fileprivate var keyJSON: JSONValue {
        if let value = Int32(name) {
            return ["literal", "Edm.Int32", .number(JSONNumber(Int64(value)))]
        }
        if Int64(name) != nil {
            return ["literal", "Edm.Int64", .string(name)]
        }
        return ["literal", "Edm.String", .string(name)]
    }

    fileprivate var json: JSONObject {
        var object = JSONObject([("name", .string(name))])
        if let predicate {
            object["filter"] = predicate.json
        }
        guard let arguments else {
            return object
        }
        if kind == .crossJoin {
            object["sets"] = .array(arguments.map { .string($0.name ?? "") })
        } else if let only = arguments.first, only.name == nil {
            object["key"] = only.value.json
        } else if let key {
            object["arguments"] = Self.named(arguments)
            object["key"] = key.count == 1 && key[0].name == nil ? key[0].value.json : Self.named(key)
        } else {
            let named = Self.named(arguments)
            object["arguments"] = named
            // Named values after a plain name may also be a key. Only metadata could decide.
            if !isQualified && !arguments.isEmpty {
                object["key"] = named
            }
        }
        return object
    }

    private static func named(_ arguments: [Argument]) -> JSONValue {
        .object(JSONObject(arguments.map { ($0.name ?? "", $0.value.json) }))
    }
}

extension QueryOptions {
    /// The options by name without `$`; absent options are left out.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = []
        func put(_ name: String, _ value: JSONValue?) {
            if let value {
                members.append((name, value))
            }
        }
        func number(_ value: Int64?) -> JSONValue? { value.map { .number(JSONNumber($0)) } }
        put("filter", filter?.json)
        put("orderby", orderBy?.json)
        put("select", select?.json)
        put("expand", expand?.json)
        put("search", search?.json)
        put("compute", compute?.json)
        put("apply", apply?.json)
        put("top", number(top))
        put("skip", number(skip))
        put("count", count.map(JSONValue.bool))
        put("inlinecount", inlineCount.map { $0 ? "allpages" : "none" })
        put("skiptoken", skipToken.map(JSONValue.string))
        put("deltatoken", deltaToken.map(JSONValue.string))
        put("format", format.map(JSONValue.string))
        put("id", id.map(JSONValue.string))
        put("index", number(index))
        put("schemaversion", schemaVersion.map(JSONValue.string))
        if !custom.isEmpty {
            put("custom", .object(JSONObject(custom.map { ($0.name, .string($0.value)) })))
        }
        if !aliases.isEmpty {
            put("aliases", .object(JSONObject(aliases.map { ($0.name, $0.value.json) })))
        }
        return .object(JSONObject(members))
    }
}

extension [OrderByItem] {
    public var json: JSONValue { .array(map { ["expr": $0.expression.json, "descending": .bool($0.isDescending)] }) }
}

extension [SelectItem] {
    public var json: JSONValue { .array(map { .string($0.canonicalText) }) }
}

extension [ComputeItem] {
    public var json: JSONValue { .array(map { ["expr": $0.expression.json, "as": .string($0.name)] }) }
}

extension [ExpandItem] {
    public var json: JSONValue {
        .array(
            map { item in
                var object = JSONObject([("path", .string(item.path)), ("ref", .bool(item.isReference))])
                if item.isCount {
                    object["count"] = true
                }
                switch item.levels {
                case .levels(let number): object["levels"] = .number(JSONNumber(number))
                case .max: object["levels"] = "max"
                case nil: break
                }
                object["options"] = item.options.json
                return .object(object)
            })
    }
}

extension [Transformation] {
    public var json: JSONValue { .array(map(\.json)) }
}

extension Transformation {
    var json: JSONValue {
        switch self {
        case .filter(let predicate): return ["filter": predicate.json]
        case .compute(let items): return ["compute": items.json]
        case .search(let expression): return ["search": expression.json]
        case .orderBy(let items): return ["orderby": items.json]
        case .skip(let count): return ["skip": .number(JSONNumber(count))]
        case .top(let count): return ["top": .number(JSONNumber(count))]
        case .groupBy(let properties, let steps):
            return ["groupby": ["properties": .array(properties.map { .string($0.path) }), "apply": steps.json]]
        case .aggregate(let items):
            let list = items.map { item in
                var object = JSONObject([("as", .string(item.name))])
                object["expr"] = item.expression?.json ?? ["path", "$count"]
                object["with"] = item.method.map { .string($0.rawValue) }
                return JSONValue.object(object)
            }
            return ["aggregate": .array(list)]
        }
    }
}
