import JSONText
import OData
import Soups

/// The arguments of an OData call. Every reader throws `invalidArguments` for an argument of another type.
struct ODataArguments {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// The argument as it is; nil if it is missing or null.
    func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func text(_ name: String) throws(Fault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else {
            throw Fault(.invalidArguments, "\(name) must be a string")
        }
        return text
    }

    func members(_ name: String) throws(Fault) -> JSONObject? {
        guard let value = value(name) else { return nil }
        guard let object = value.object else {
            throw Fault(.invalidArguments, "\(name) must be an object")
        }
        return object
    }

    func list(_ name: String) throws(Fault) -> [JSONValue]? {
        guard let value = value(name) else { return nil }
        guard let list = value.array else {
            throw Fault(.invalidArguments, "\(name) must be an array")
        }
        return list
    }

    func flag(_ name: String) throws(Fault) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else {
            throw Fault(.invalidArguments, "\(name) must be true or false")
        }
        return flag
    }

    /// The argument `text` or `base64` as bytes.
    func bytes() throws(Fault) -> [UInt8] {
        if let text = try text("text") {
            return Array(text.utf8)
        }
        guard let base64 = try text("base64"), let bytes = Base64.decode(base64) else {
            throw Fault(.invalidArguments, "text or base64 is missing, or base64 is invalid")
        }
        return bytes
    }

    func version() throws(Fault) -> ODataVersion {
        guard let version = ODataVersion(rawValue: try text("version") ?? "4.0") else {
            throw Fault(.invalidArguments, "version must be 1.0, 2.0, 3.0, 4.0 or 4.01")
        }
        return version
    }

    func format() throws(Fault) -> ODataChangeRequest.Format {
        guard let format = ODataChangeRequest.Format(rawValue: try text("format") ?? "json") else {
            throw Fault(.invalidArguments, "format must be atom, verbosejson or json")
        }
        return format
    }

    func model() throws(Fault) -> EdmModel? {
        guard let metadata = try text("metadata") else { return nil }
        return try EdmModel(csdl: Array(metadata.utf8), isDecodedText: true)
    }
}
