public import JSONText
public import OData

extension ODataExpression {
    /// The tree as the JSON arrays of the conformance vectors: `["eq", ["path", "A"], ["literal", "Edm.Int32", 1]]`.
    ///
    /// For forms that the vectors do not define: a segment with parentheses is `{"name", "key" or "arguments"}`,
    /// `$filter(...)` in a path `{"filter"}`, JSON in an expression `["array", ...]` and `["object", {"name", "value"},
    /// ...]`.
    public var json: JSONValue { json(of: root) }

    /// The tree of a node as JSON.
    public func json(of node: Int) -> JSONValue {
        // A chain on the left side may be as long as the text, so it is followed in a loop. Only right sides recurse.
        var spine: [Int] = []
        var current = node
        while nodes[current].kind.isBinaryOperator {
            spine.append(current)
            current = children(of: current)[0]
        }
        var result = jsonOfOther(current)
        for operation in spine.reversed() {
            let right = children(of: operation)[1]
            result = [.string(nodes[operation].kind.operatorName), result, json(of: right)]
        }
        return result
    }

    private func jsonOfOther(_ node: Int) -> JSONValue {
        let children = children(of: node)
        switch nodes[node].kind {
        case .null: return ["null"]
        case .literal: return jsonOfLiteral(node)
        case .path:
            return .array(["path"] + (children.isEmpty ? [.string(text(of: node))] : children.map(jsonOfSegment)))
        case .alias: return ["alias", .string(text(of: node))]
        case .it: return ["it"]
        case .call: return .array(["call", .string(function(of: node)?.name ?? "")] + children.map { json(of: $0) })
        case .any, .all:
            let name: JSONValue = nodes[node].kind == .any ? "any" : "all"
            guard children.count == 3 else {
                return [name, json(of: children[0])]
            }
            return [name, json(of: children[0]), .string(text(of: children[1])), json(of: children[2])]
        case .list: return .array(["list"] + children.map { json(of: $0) })
        case .array: return .array(["array"] + children.map { json(of: $0) })
        case .object:
            let members = children.map { member in
                JSONValue.object(
                    JSONObject([
                        ("name", .string(memberName(member))), ("value", json(of: self.children(of: member)[0])),
                    ]))
            }
            return .array(["object"] + members)
        case .not: return ["not", json(of: children[0])]
        case .negate: return ["neg", json(of: children[0])]
        case .cast, .isof:
            let operand = children.dropLast().map { json(of: $0) }
            return .array(
                [nodes[node].kind == .cast ? "cast" : "isof"] + operand + [
                    .string(text(of: children[children.count - 1]))
                ])
        case .conditional:
            return .array(["case"] + children.map { branch in .array(self.children(of: branch).map { json(of: $0) }) })
        case .count: return .array(["count"] + children.map { json(of: $0) })
        default: return .string(text(of: node))
        }
    }

    private func jsonOfLiteral(_ node: Int) -> JSONValue {
        let value = value(of: node)
        if case .enumeration(let type, let members) = value {
            return ["literal", .string(type ?? ""), .string(members)]
        }
        // In the vectors a Double is a number, but a Single is a string.
        if case .single = value {
            return ["literal", "Edm.Single", .string(value.canonicalText ?? "")]
        }
        return ["literal", .string(value.primitiveType?.rawValue ?? ""), value.json]
    }

    private func jsonOfSegment(_ node: Int) -> JSONValue {
        let children = children(of: node)
        switch nodes[node].kind {
        case .filterSegment:
            var object = JSONObject([("filter", json(of: children[0]))])
            if children.count > 1 {
                object["key"] = jsonOfValues(children.dropFirst())
            }
            return .object(object)
        case .keySegment where nodes[children[0]].kind == .functionSegment:
            var object = jsonOfSegment(children[0]).object ?? JSONObject()
            object["key"] = jsonOfValues(children.dropFirst())
            return .object(object)
        case .keySegment, .functionSegment:
            let member = nodes[node].kind == .keySegment ? "key" : "arguments"
            return .object(
                JSONObject([("name", .string(text(of: children[0]))), (member, jsonOfValues(children.dropFirst()))]))
        default: return .string(text(of: node))
        }
    }

    /// A single value without a name as itself, named values as an object.
    private func jsonOfValues(_ values: ArraySlice<Int>) -> JSONValue {
        if let only = values.first, nodes[only].kind != .argument {
            return json(of: only)
        }
        return .object(JSONObject(values.map { (text(of: $0), json(of: children(of: $0)[0])) }))
    }
}
