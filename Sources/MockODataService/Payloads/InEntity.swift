import JSONText

/// An entity as a client sent it.
struct InEntity {
    var values = JSONObject()
    /// The URLs of entities that navigation properties are to lead to; an empty list removes the link.
    var binds: [(name: String, urls: [String])] = []
    /// New entities that are created with it.
    var nested: [(name: String, entities: [InEntity])] = []
}

/// Reads the bodies of changes.
struct BodyReader {
    let model: MockModel
    let version: MockODataVersion

    func entity(_ bytes: [UInt8], isAtom: Bool, set: String) throws(Refusal) -> InEntity {
        if isAtom {
            return try atom(XMLNode.root(of: bytes), set)
        }
        guard let object = (try? JSONValue(parsing: bytes))?.object else {
            throw .malformed("the body is not a JSON object")
        }
        return try json(object["d"]?.object ?? object, set)
    }

    /// The URL in the body of a link.
    func link(_ bytes: [UInt8], isAtom: Bool) throws(Refusal) -> String {
        if isAtom {
            return try XMLNode.root(of: bytes).text
        }
        let body = try? JSONValue(parsing: bytes)
        let names = ["@odata.id", "@id", "url", "uri"]
        guard let url = names.lazy.compactMap({ body?[$0]?.string }).first else {
            throw .malformed("the body has no link")
        }
        return url
    }

    // MARK: - JSON

    private func json(_ object: JSONObject, _ set: String) throws(Refusal) -> InEntity {
        let type = model.type(of: set)
        var entity = InEntity()
        for (name, value) in object.members {
            if name.hasSuffix("@odata.bind") || name.hasSuffix("@bind") {
                let navigation = String(name.prefix { $0 != "@" })
                entity.binds.append((navigation, value.array?.compactMap(\.string) ?? value.string.map { [$0] } ?? []))
            } else if name.contains("@") || name.hasPrefix("odata.") || name == "__metadata" {
                continue
            } else if let navigation = type.navigation(name) {
                try add(value, to: &entity, navigation, set)
            } else if let property = type.property(name) {
                entity.values[name] = try normal(value, property)
            } else {
                throw Refusal(400, "BadRequest", "the type has no property '\(name)'", target: name)
            }
        }
        return entity
    }

    /// What a member of a navigation property says: links, or new entities.
    private func add(
        _ value: JSONValue, to entity: inout InEntity, _ navigation: MockNavigation, _ set: String
    ) throws(Refusal) {
        guard !value.isNull else {
            entity.binds.append((navigation.name, []))
            return
        }
        let items = value.array ?? value["results"]?.array ?? [value]
        let target = model.target(of: navigation, in: set) ?? ""
        var (urls, inner): ([String], [InEntity]) = ([], [])
        for item in items {
            let count = item.object?.count ?? 0
            let reference = item["@id"]?.string ?? item["@odata.id"]?.string ?? item["__metadata"]?["uri"]?.string
            if let reference, count == 1 {
                urls.append(reference)
            } else if let object = item.object, item["__deferred"] == nil {
                inner.append(try json(object, target))
            }
        }
        if !urls.isEmpty {
            entity.binds.append((navigation.name, urls))
        }
        if !inner.isEmpty {
            entity.nested.append((navigation.name, inner))
        }
    }

    // MARK: - Atom

    private func atom(_ entry: XMLNode, _ set: String) throws(Refusal) -> InEntity {
        let type = model.type(of: set)
        var entity = InEntity()
        let properties = entry.child("content")?.child("properties") ?? entry.child("properties")
        for node in properties?.children ?? [] {
            guard let property = type.property(node.name) else {
                throw Refusal(400, "BadRequest", "the type has no property '\(node.name)'", target: node.name)
            }
            entity.values[node.name] = try normal(Self.value(node, isCollection: property.isCollection), property)
        }
        for link in entry.children("link") {
            guard let name = link["rel"]?.split(separator: "/related/").last.map(String.init),
                let navigation = type.navigation(name)
            else { continue }
            guard let inline = link.child("inline") else {
                if let href = link["href"] {
                    entity.binds.append((name, [href]))
                }
                continue
            }
            let target = model.target(of: navigation, in: set) ?? ""
            var inner: [InEntity] = []
            for node in inline.child("feed")?.children("entry") ?? inline.children("entry") {
                inner.append(try atom(node, target))
            }
            entity.nested.append((name, inner))
        }
        return entity
    }

    private static func value(_ node: XMLNode, isCollection: Bool) -> JSONValue {
        if node["null"] == "true" {
            return .null
        }
        if isCollection {
            return .array(node.children.map { value($0, isCollection: false) })
        }
        guard node.children.isEmpty else {
            return .object(JSONObject(node.children.map { ($0.name, value($0, isCollection: false)) }))
        }
        return .string(node.text)
    }

    // MARK: - Values

    /// The value as the service keeps it. Throws 400 for one that the property cannot have.
    private func normal(_ given: JSONValue, _ property: MockProperty) throws(Refusal) -> JSONValue {
        if property.isCollection {
            var item = property
            item.isCollection = false
            var items: [JSONValue] = []
            for element in given.array ?? given["results"]?.array ?? [] {
                items.append(try normal(element, item))
            }
            return .array(items)
        }
        guard !given.isNull else {
            guard property.isNullable else {
                throw Refusal(400, "BadRequest", "'\(property.name)' cannot be null", target: property.name)
            }
            return .null
        }
        let value = try typed(given, property)
        if let limit = property.maxLength, let text = value.string, text.utf16.count > limit {
            throw Refusal(400, "BadRequest", "'\(property.name)' is longer than \(limit)", target: property.name)
        }
        return value
    }

    private func typed(_ value: JSONValue, _ property: MockProperty) throws(Refusal) -> JSONValue {
        let wrong = Refusal(
            400, "BadRequest", "the value of '\(property.name)' has another type", target: property.name)
        switch property.type {
        case "Edm.Boolean":
            guard let bool = value.bool ?? ["true": true, "false": false][value.string ?? ""] else { throw wrong }
            return .bool(bool)
        case "Edm.Byte", "Edm.SByte", "Edm.Int16", "Edm.Int32", "Edm.Int64", "Edm.Decimal", "Edm.Double", "Edm.Single":
            guard let text = value.string else {
                guard value.number != nil else { throw wrong }
                return value
            }
            if ["INF", "-INF", "NaN"].contains(text) {
                return value
            }
            guard PlainNumber(text) != nil, let number = JSONValue.read(text) else { throw wrong }
            return number
        case "Edm.DateTime", "Edm.DateTimeOffset":
            guard let text = value.string else { throw wrong }
            guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return value }
            let inner = text.dropFirst(6).dropLast(2)
            let digits = inner.prefix { $0.isNumber || $0 == "-" && inner.first == "-" }
            guard let time = Int64(digits) else { throw wrong }
            return .string(PlainDate.text(time) + (property.type == "Edm.DateTimeOffset" ? "Z" : ""))
        case _ where property.type.hasPrefix("Edm."):
            guard let text = value.string else { throw wrong }
            return property.type == "Edm.Guid" ? .string(text.lowercased()) : value
        default: return value
        }
    }
}
