import JSONText
import OData
import Soups

/// Implements the calls of the conformance contract that read payloads and metadata, with arguments and results as
/// JSON.
enum PayloadCalls {
    /// Implements `odata.parsePayload` with the arguments text or base64, contentType, version, optional baseURL,
    /// metadata, entityType.
    ///
    /// Throws `invalidArguments` for arguments of the wrong form, and the faults of `ODataPayloadReader` and of
    /// `EdmModel`.
    static func parsePayload(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        var options = PayloadOptions(version: .v4)
        if let version = arguments["version"] {
            guard let known = version.string.flatMap(ODataVersion.init(rawValue:)) else {
                throw Fault(.invalidArguments, "version must be 1.0, 2.0, 3.0, 4.0 or 4.01")
            }
            options.version = known
        }
        options.contentType = try text("contentType", of: arguments).map(ContentType.init)
        options.baseURL = try text("baseURL", of: arguments)
        options.entityType = try text("entityType", of: arguments)
        if let metadata = try text("metadata", of: arguments) {
            options.model = try EdmModel(csdl: Array(metadata.utf8), isDecodedText: true)
        }
        options.isDecodedText = arguments["text"] != nil
        let bytes = try bytes(of: arguments)
        if arguments["version"] == nil, isVerbose(bytes, options.contentType) {
            options.version = .v2
        }
        return try ODataPayload(reading: bytes, options: options).json
    }

    /// Whether a payload without a version is verbose JSON, which version 4 does not have: by its media type, or its
    /// wrapper `d` around an object or an array.
    private static func isVerbose(_ bytes: [UInt8], _ contentType: ContentType?) -> Bool {
        if let contentType, contentType.isVerboseJSON {
            return true
        }
        let start = bytes.lazy.filter { $0 > 0x20 && $0 < 0x80 }.prefix(6)
        return start.elementsEqual(#"{"d":{"#.utf8) || start.elementsEqual(#"{"d":["#.utf8)
    }

    /// Implements `odata.parseMetadata` with the argument text or base64, and optional strict.
    static func parseMetadata(_ arguments: JSONObject) throws(Fault) -> JSONValue {
        var isStrict = false
        if let strict = arguments["strict"], !strict.isNull {
            guard case .bool(let flag) = strict else {
                throw Fault(.invalidArguments, "strict must be true or false")
            }
            isStrict = flag
        }
        return try EdmModel(
            csdl: try bytes(of: arguments), isDecodedText: arguments["text"] != nil, isStrict: isStrict
        ).json
    }

    private static func text(_ name: String, of arguments: JSONObject) throws(Fault) -> String? {
        guard let value = arguments[name], !value.isNull else { return nil }
        guard let text = value.string else {
            throw Fault(.invalidArguments, "\(name) must be a string")
        }
        return text
    }

    private static func bytes(of arguments: JSONObject) throws(Fault) -> [UInt8] {
        if let text = try text("text", of: arguments) {
            return Array(text.utf8)
        }
        guard let base64 = try text("base64", of: arguments), let bytes = Base64.decode(base64) else {
            throw Fault(.invalidArguments, "text or base64 is missing, or base64 is invalid")
        }
        return bytes
    }
}
