import JSONText
import OData
import Soups

/// Implements the calls of the conformance contract that write changes, with arguments and results as JSON.
enum ChangeCall {
    /// Implements `odata.changeRequest`. Throws `invalidArguments` for arguments of the wrong form, and the faults of
    /// `ODataChangeRequest`.
    static func changeRequest(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        let request = try change(ODataArguments(arguments))
        return .object(
            JSONObject([
                ("method", request.method.map(JSONValue.string) ?? .null), ("url", .string(try request.url())),
                ("headers", .object(JSONObject(try request.headers.map { ($0.name, .string($0.value)) }))),
                ("body", try request.body().map(JSONValue.string) ?? .null),
            ]))
    }

    /// Implements `odata.writeEntry` with the arguments entry, version, format, metadata, entityType, optional types
    /// and ieee754.
    static func writeEntry(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        let arguments = ODataArguments(arguments)
        guard let entry = try arguments.members("entry") else {
            throw Fault(.invalidArguments, "entry is missing; give an object with the properties")
        }
        var writer = ODataEntryWriter(
            version: try arguments.version(), format: try arguments.format(), model: try arguments.model(),
            entityType: try arguments.text("entityType"))
        writer.isIEEE754Compatible = try arguments.flag("ieee754") ?? false
        for (name, type) in try arguments.members("types")?.members ?? [] {
            guard let type = type.string else {
                throw Fault(.invalidArguments, "types must have the names of types")
            }
            writer.types[name] = type
        }
        return .string(try writer.text(of: entry))
    }

    /// Implements `odata.keyText` with the arguments key, version, optional metadata and entityType.
    static func keyText(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        let arguments = ODataArguments(arguments)
        let key = ODataKey(
            arguments.value("key") ?? .null, version: try arguments.version(), model: try arguments.model(),
            entityType: try arguments.text("entityType"))
        return .string(try key.text())
    }

    /// The change that the arguments describe.
    static func change(_ arguments: ODataArguments) throws(Fault) -> ODataChangeRequest {
        guard let operation = try arguments.text("operation").flatMap(ODataChangeRequest.Operation.init(rawValue:))
        else {
            throw Fault(.invalidArguments, "operation must be insert, update, replace or delete")
        }
        guard let set = try arguments.text("entitySet"), !set.isEmpty else {
            throw Fault(.invalidArguments, "entitySet is missing")
        }
        guard arguments.value("repeatability") == nil else {
            throw Fault(.unsupported, "repeatability (OASIS Repeatable Requests) is not supported; leave it out")
        }
        var etag = try arguments.text("etag")
        if let condition = try arguments.text("ifMatch") {
            etag = condition
        }
        var request = ODataChangeRequest(
            operation, entitySet: set, key: arguments.value("key") ?? .null,
            properties: try arguments.members("properties") ?? JSONObject(),
            original: try arguments.members("original"),
            etag: etag,
            serviceRoot: try arguments.text("serviceRoot") ?? "", version: try arguments.version(),
            format: try arguments.format(), model: try arguments.model(), entityType: try arguments.text("entityType"))
        request.links = try links(arguments)
        request.prefer = try arguments.text("prefer")
        request.returns = try answer(arguments)
        request.contentType = try arguments.text("contentType")
        request.contentID = try identifier("contentId", of: arguments)
        request.isTunnelled = try arguments.flag("tunnel") ?? false
        return request
    }

    /// An argument that names a request: a text, or a number.
    static func identifier(_ name: String, of arguments: ODataArguments) throws(Fault) -> String? {
        if let number = arguments.value(name)?.number {
            return number.text
        }
        return try arguments.text(name)
    }

    private static func answer(_ arguments: ODataArguments) throws(Fault) -> ODataChangeRequest.Answer? {
        guard let text = try arguments.text("returns") else { return nil }
        guard let answer = ODataChangeRequest.Answer(rawValue: text) else {
            throw Fault(.invalidArguments, "returns must be representation or minimal")
        }
        return answer
    }

    /// The argument bind: names with a URL, an array of URLs, or null.
    private static func links(_ arguments: ODataArguments) throws(Fault) -> [ODataChangeRequest.Link] {
        var links: [ODataChangeRequest.Link] = []
        for (name, value) in try arguments.members("bind")?.members ?? [] {
            switch value {
            case .null: links.append(.init(name, to: nil))
            case .string(let target): links.append(.init(name, to: target))
            case .array(let targets):
                let texts = targets.compactMap(\.string)
                guard texts.count == targets.count else {
                    throw Fault(.invalidArguments, "the URLs of bind must be strings")
                }
                links.append(.init(name, toAll: texts))
            case .bool, .number, .object:
                throw Fault(.invalidArguments, "bind must have a URL, an array of URLs or null for each name")
            }
        }
        return links
    }
}
