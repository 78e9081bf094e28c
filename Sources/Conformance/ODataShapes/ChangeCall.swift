import JSONText
import OData
import Soups

/// Implements the call `odata.changeRequest` of the conformance contract, with arguments and result as JSON.
enum ChangeCall {
    /// Creates the request that the arguments describe. Throws `invalidArguments` for arguments of the wrong form, and
    /// the faults of `ODataChangeRequest`.
    static func changeRequest(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        func text(_ name: String) throws(Fault) -> String? {
            guard let value = arguments[name], !value.isNull else { return nil }
            guard let text = value.string else {
                throw Fault(.invalidArguments, "\(name) must be a string")
            }
            return text
        }
        func object(_ name: String) throws(Fault) -> JSONObject? {
            guard let value = arguments[name], !value.isNull else { return nil }
            guard let object = value.object else {
                throw Fault(.invalidArguments, "\(name) must be an object")
            }
            return object
        }
        guard let operation = try text("operation").flatMap(ODataChangeRequest.Operation.init(rawValue:)) else {
            throw Fault(.invalidArguments, "operation must be insert, update, replace or delete")
        }
        guard let set = try text("entitySet"), !set.isEmpty else {
            throw Fault(.invalidArguments, "entitySet is missing")
        }
        guard let version = ODataVersion(rawValue: try text("version") ?? "4.0") else {
            throw Fault(.invalidArguments, "version must be 1.0, 2.0, 3.0, 4.0 or 4.01")
        }
        guard let format = ODataChangeRequest.Format(rawValue: try text("format") ?? "json") else {
            throw Fault(.invalidArguments, "format must be atom, verbosejson or json")
        }
        let model = try text("metadata").map { (text) throws(Fault) in
            try EdmModel(csdl: Array(text.utf8), isDecodedText: true)
        }
        let request = ODataChangeRequest(
            operation, entitySet: set, key: arguments["key"] ?? .null,
            properties: try object("properties") ?? JSONObject(),
            original: try object("original"), etag: try text("etag"), serviceRoot: try text("serviceRoot") ?? "",
            version: version, format: format, model: model, entityType: try text("entityType"))
        return .object(
            JSONObject([
                ("method", request.method.map(JSONValue.string) ?? .null), ("url", .string(try request.url())),
                ("headers", .object(JSONObject(request.headers.map { ($0.name, .string($0.value)) }))),
                ("body", try request.body().map(JSONValue.string) ?? .null),
            ]))
    }
}
