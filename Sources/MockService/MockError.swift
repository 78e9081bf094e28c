import JSONText

/// A refusal of the service, of a whole call or of one record.
struct MockError: Error {
    var status: Int
    var code: String
    var message: String
    var fields: [String]

    init(_ status: Int, _ code: String, _ message: String, fields: [String] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields
    }

    static let notFound = MockError(404, "NOT_FOUND", "The requested resource does not exist")
    static let deleted = MockError(404, "ENTITY_IS_DELETED", "entity is deleted")

    static func unsupportedType(_ name: String) -> MockError {
        MockError(400, "INVALID_TYPE", "sObject type '\(name)' is not supported.")
    }

    static func malformed(_ message: String) -> MockError { MockError(400, "JSON_PARSER_ERROR", message) }

    /// The body of an answer that refuses a whole call.
    var body: JSONValue {
        var error: JSONObject = ["message": .string(message), "errorCode": .string(code)]
        if !fields.isEmpty {
            error["fields"] = .array(fields.map(JSONValue.string))
        }
        return [.object(error)]
    }

    /// The element of a collection's answer for a record that is refused. There an id that was never given has a code
    /// of its own.
    var item: JSONValue {
        let isUnknown = code == "NOT_FOUND"
        return [
            "success": false,
            "errors": [
                [
                    "statusCode": .string(isUnknown ? "INVALID_CROSS_REFERENCE_KEY" : code),
                    "message": .string(isUnknown ? "invalid cross reference id" : message),
                    "fields": .array(fields.map(JSONValue.string)),
                ]
            ],
        ]
    }

    /// A single call does not name the type that it does not know.
    var ofSingleCall: MockError { code == "INVALID_TYPE" ? .notFound : self }
}
