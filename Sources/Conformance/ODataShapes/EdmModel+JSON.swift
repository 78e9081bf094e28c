public import JSONText
public import OData
import Soups

extension EdmModel {
    /// The model in the form of the conformance vectors, as returned by `odata.parseMetadata`.
    public var json: JSONValue {
        var object = JSONObject([
            ("schemas", .array(schemas.map(\.json))),
            (
                "entitySets",
                .array(
                    schemas.flatMap { schema in
                        schema.containers.flatMap { container in
                            container.entitySets.map { set in
                                JSONValue.object(
                                    JSONObject([
                                        ("name", .string(set.name)), ("type", .string(set.entityType)),
                                        ("container", .string(container.name)),
                                    ]))
                            }
                        }
                    })
            ),
        ])
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

extension EdmSchema {
    var json: JSONValue {
        var object = JSONObject([("namespace", .string(namespace))])
        if let alias {
            object["alias"] = .string(alias)
        }
        object["entityTypes"] = .array(entityTypes.map(\.json))
        object["complexTypes"] = .array(complexTypes.map(\.json))
        object["enumTypes"] = .array(
            enumTypes.map { type in
                .object(
                    JSONObject([
                        ("name", .string(type.name)), ("underlyingType", .string(type.underlyingType.rawValue)),
                        ("isFlags", .bool(type.isFlags)),
                        (
                            "members",
                            .array(
                                type.members.map {
                                    .object(
                                        JSONObject([
                                            ("name", .string($0.name)), ("value", .number(JSONNumber($0.value))),
                                        ]))
                                })
                        ),
                    ]))
            })
        if !typeDefinitions.isEmpty {
            object["typeDefinitions"] = .array(
                typeDefinitions.map {
                    .object(JSONObject([("name", .string($0.name)), ("underlyingType", .string($0.underlying.name))]))
                })
        }
        object["functions"] = .array(functions.map(\.json))
        object["actions"] = .array(actions.map(\.json))
        return .object(object)
    }
}

extension EdmStructuredType {
    var json: JSONValue {
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
                .object(
                    JSONObject([
                        ("name", .string($0.name)), ("type", .string($0.type.text)),
                        ("nullable", .bool($0.type.isNullable)),
                    ]))
            })
        object["navigation"] = .array(
            navigation.map { navigation in
                var item = JSONObject([("name", .string(navigation.name)), ("type", .string(navigation.type.text))])
                if let partner = navigation.partner {
                    item["partner"] = .string(partner)
                }
                if navigation.containsTarget {
                    item["containsTarget"] = true
                }
                if !navigation.constraints.isEmpty {
                    item["constraints"] = .array(
                        navigation.constraints.map {
                            .object(
                                JSONObject([
                                    ("property", .string($0.property)),
                                    ("referencedProperty", .string($0.referencedProperty)),
                                ]))
                        })
                }
                return .object(item)
            })
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
