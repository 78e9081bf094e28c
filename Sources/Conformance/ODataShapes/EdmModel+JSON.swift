public import JSONText
public import OData
import Soups

extension EdmModel {
    /// The model in the form of the conformance vectors, as returned by `odata.parseMetadata`.
    public var json: JSONValue {
        let sets = schemas.flatMap(\.containers).flatMap(\.setsJSON)
        var object = JSONObject([("schemas", .array(schemas.map { $0.json(in: self) })), ("entitySets", .array(sets))])
        if !warnings.isEmpty {
            object["warnings"] = .array(
                warnings.map { warning in
                    var item = JSONObject([("message", .string(warning.message))])
                    if let offset = warning.offset {
                        item["offset"] = .number(JSONNumber(Int64(offset)))
                    }
                    return .object(item)
                })
        }
        return .object(object)
    }
}

extension EdmContainer {
    fileprivate var setsJSON: [JSONValue] {
        entitySets.map { set in
            ["name": .string(set.name), "type": .string(set.entityType), "container": .string(name)]
        }
    }
}

extension EdmSchema {
    fileprivate func json(in model: EdmModel) -> JSONValue {
        var object = JSONObject([("namespace", .string(namespace))])
        if let alias {
            object["alias"] = .string(alias)
        }
        object["entityTypes"] = .array(
            entityTypes.map { $0.json(key: model.key(of: "\(namespace).\($0.name)")) })
        object["complexTypes"] = .array(complexTypes.map { $0.json(key: []) })
        object["enumTypes"] = .array(enumTypes.map(\.json))
        if !typeDefinitions.isEmpty {
            object["typeDefinitions"] = .array(
                typeDefinitions.map { ["name": .string($0.name), "underlyingType": .string($0.underlying.name)] })
        }
        object["functions"] = .array(functions.map(\.json))
        object["actions"] = .array(actions.map(\.json))
        return .object(object)
    }
}

extension EdmEnumType {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "underlyingType": .string(underlyingType.rawValue), "isFlags": .bool(isFlags),
            "members": .array(
                members.map { ["name": .string($0.name), "value": .number(JSONNumber($0.value))] }),
        ]
    }
}

extension EdmStructuredType {
    /// - Parameter key: The key of an entity type, its own or the one that it inherits.
    fileprivate func json(key: [KeyPart]) -> JSONValue {
        var object = JSONObject([("name", .string(name))])
        if let baseType {
            object["baseType"] = .string(baseType)
        }
        object["abstract"] = .bool(isAbstract)
        object["open"] = .bool(isOpen)
        if kind == .entity {
            object["key"] = .array(key.map { .string($0.alias ?? $0.path) })
            if hasStream {
                object["hasStream"] = true
            }
        }
        object["properties"] = .array(
            properties.map {
                ["name": .string($0.name), "type": .string($0.type.text), "nullable": .bool($0.type.isNullable)]
            })
        object["navigation"] = .array(navigation.map(\.json))
        return .object(object)
    }
}

extension EdmNavigationProperty {
    fileprivate var json: JSONValue {
        var object = JSONObject([("name", .string(name)), ("type", .string(type.text))])
        if let partner {
            object["partner"] = .string(partner)
        }
        if containsTarget {
            object["containsTarget"] = true
        }
        if !constraints.isEmpty {
            object["constraints"] = .array(
                constraints.map {
                    ["property": .string($0.property), "referencedProperty": .string($0.referencedProperty)]
                })
        }
        return .object(object)
    }
}

extension EdmOperation {
    var json: JSONValue {
        var object = JSONObject([("name", .string(name)), ("isBound", .bool(isBound))])
        if kind == .function {
            object["isComposable"] = .bool(isComposable)
        }
        object["parameters"] = .array(
            parameters.map { .object(JSONObject([("name", .string($0.name)), ("type", .string($0.type.text))])) })
        if let returnType {
            object["returnType"] = .string(returnType.text)
        }
        return .object(object)
    }
}
