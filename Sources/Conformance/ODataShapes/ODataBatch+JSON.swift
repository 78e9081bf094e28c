public import JSONText
public import OData

extension ODataBatch {
    /// The batch in the form of the conformance vectors.
    ///
    /// An error outside of a change set may be the answer to a whole change set, which a reader that does not know the
    /// requests cannot tell. It is given as itself, and as a failed change set of one part.
    public var json: JSONValue {
        var object = JSONObject([("kind", "batch"), ("parts", .array(parts.map(\.json)))])
        if let nextLink {
            object["nextLink"] = .string(nextLink)
        }
        return .object(object)
    }
}

extension ODataBatch.Part {
    fileprivate var json: JSONValue {
        switch self {
        case .message(let message):
            var object = message.object
            if message.isError {
                object["changeSet"] = .array([.object(message.object)])
                object["failed"] = true
            }
            return .object(object)
        case .changeSet(let changeSet):
            var object = JSONObject([
                ("changeSet", .array(changeSet.messages.map { .object($0.object) })),
                ("failed", .bool(changeSet.isFailed)),
            ])
            if let name = changeSet.name {
                object["group"] = .string(name)
            }
            return .object(object)
        }
    }
}

extension ODataBatch.Message {
    fileprivate var object: JSONObject {
        var object: JSONObject
        switch start {
        case .request(let method, let url): object = ["method": .string(method), "url": .string(url)]
        case .answer(let status, _): object = ["status": .number(JSONNumber(Int64(status)))]
        }
        object["headers"] = .object(JSONObject(headers.map { ($0.name, .string($0.value)) }))
        object["body"] = .null
        if let body {
            if let text = String(validating: body, as: UTF8.self) {
                object["body"] = .string(text)
            } else {
                object["base64"] = .string(Base64.encode(body))
            }
        }
        if let contentID {
            object["contentId"] = .string(contentID)
        }
        if !dependsOn.isEmpty {
            object["dependsOn"] = .array(dependsOn.map { .string($0) })
        }
        if let condition {
            object["if"] = .string(condition)
        }
        return object
    }
}
