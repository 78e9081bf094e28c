import JSONText
import OData
import Soups

/// Implements the calls of the conformance contract about batches, with arguments and results as JSON.
enum BatchCalls {
    /// Implements `odata.batchRequest` with the arguments requests, format, version, serviceRoot, boundary.
    ///
    /// A request is a change as for `odata.changeRequest`, or has method, url, headers and body; and contentId, group,
    /// dependsOn, if.
    static func batchRequest(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        let arguments = ODataArguments(arguments)
        guard let requests = try arguments.list("requests") else {
            throw Fault(.invalidArguments, "requests is missing; give an array")
        }
        guard let format = ODataBatch.Format(rawValue: try arguments.text("format") ?? "multipart") else {
            throw Fault(.invalidArguments, "format must be multipart or json")
        }
        let version = try arguments.version()
        var messages: [(message: ODataBatch.Message, group: String?)] = []
        for request in requests {
            guard let object = request.object else {
                throw Fault(.invalidArguments, "a request must be an object")
            }
            let members = ODataArguments(object)
            guard let message = try message(members, version, arguments.value("metadata")) else { continue }
            messages.append((message, try ChangeCall.identifier("group", of: members)))
        }
        let batch = try ODataBatch(grouping: messages, version: version)
        let request = try batch.request(
            serviceRoot: try arguments.text("serviceRoot") ?? "", format: format, version: version,
            boundary: try arguments.text("boundary") ?? "batch_1", prefer: try arguments.text("prefer"))
        return .object(
            JSONObject([
                ("method", .string(request.method)), ("url", .string(request.url)),
                ("headers", .object(JSONObject(request.headers.map { ($0.name, .string($0.value)) }))),
                ("body", .string(String(decoding: request.body, as: UTF8.self))),
            ]))
    }

    /// Implements `odata.parseBatch` with the arguments text or base64, contentType, version, direction.
    static func parseBatch(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        let arguments = ODataArguments(arguments)
        _ = try arguments.version()
        var direction: ODataBatch.Direction?
        if let text = try arguments.text("direction") {
            direction = ODataBatch.Direction(rawValue: text)
            guard direction != nil else {
                throw Fault(.invalidArguments, "direction must be request or response")
            }
        }
        return try ODataBatch(
            reading: try arguments.bytes(), contentType: try arguments.text("contentType").map(ContentType.init),
            direction: direction
        ).json
    }

    /// The request that an element of `requests` describes; nil for a change with nothing to send.
    private static func message(
        _ arguments: ODataArguments, _ version: ODataVersion, _ metadata: JSONValue?
    ) throws(Fault) -> ODataBatch.Message? {
        var found = try rawMessage(arguments)
        if found == nil {
            found = try change(arguments, version, metadata)
        }
        guard var message = found else { return nil }
        if let identifier = try ChangeCall.identifier("contentId", of: arguments) {
            message.contentID = identifier
        }
        message.condition = try arguments.text("if")
        for name in try arguments.list("dependsOn") ?? [] {
            guard let name = name.string ?? name.number?.text else {
                throw Fault(.invalidArguments, "dependsOn must be an array of ids")
            }
            message.dependsOn.append(name)
        }
        return message
    }

    private static func change(
        _ arguments: ODataArguments, _ version: ODataVersion, _ metadata: JSONValue?
    ) throws(Fault) -> ODataBatch.Message? {
        var members = arguments.object
        if members["version"] == nil {
            members["version"] = .string(version.rawValue)
        }
        if members["metadata"] == nil, let metadata {
            members["metadata"] = metadata
        }
        return try ODataBatch.Message(ChangeCall.change(ODataArguments(members)))
    }

    private static func rawMessage(_ arguments: ODataArguments) throws(Fault) -> ODataBatch.Message? {
        guard let method = try arguments.text("method") else { return nil }
        guard let url = try arguments.text("url") else {
            throw Fault(.invalidArguments, "a request with a method needs a url")
        }
        var headers: [ODataBatch.Message.Header] = []
        for (name, value) in try arguments.members("headers")?.members ?? [] {
            guard let value = value.string else {
                throw Fault(.invalidArguments, "the headers must be strings")
            }
            headers.append(.init(name, value))
        }
        let body = arguments.value("body").map { $0.string ?? $0.text() }
        return ODataBatch.Message(method, url, headers: headers, body: body)
    }
}
