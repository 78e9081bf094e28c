import JSONText
import OData
import Soups

/// The error of a service as rows and outcomes keep it.
enum ServiceRefusal {
    private static let messageLimit = 4_096

    /// The error of an answer. Messages are cut to 4,096 bytes.
    static func json(status: Int?, _ body: ODataPayload.ErrorBody?) -> JSONObject {
        let status = status.map { JSONValue.number(JSONNumber(Int64($0))) } ?? .null
        let details = (body?.details ?? []).map { detail in
            JSONValue.object(JSONObject(members(code: detail.code, message: detail.message, target: detail.target)))
        }
        var error: [(String, JSONValue)] = [("status", status)]
        error += members(code: body?.code ?? "", message: body?.message ?? unexplained, target: body?.target)
        error.append(("details", .array(details)))
        return JSONObject(error)
    }

    /// What a person reads of an error whose body says nothing.
    private static let unexplained = "the service gave no reason"

    private static func members(code: String, message: String, target: String?) -> [(String, JSONValue)] {
        [
            ("code", .string(code)), ("message", .string(message.prefix(bytes: messageLimit))),
            ("target", target.map(JSONValue.string) ?? .null),
        ]
    }

    /// An error that no service has sent.
    static func json(status: Int? = nil, code: String, _ message: String) -> JSONObject {
        var body = ODataPayload.ErrorBody()
        body.code = code
        body.message = message
        return json(status: status, body)
    }

    /// The fault of a change that no request can be written for, with the path of the property. It has no value of the
    /// row.
    static func json(unwritable fault: Fault) -> JSONObject {
        var body = ODataPayload.ErrorBody()
        body.code = fault.code.rawValue
        body.message = fault.message
        for case .path(let path) in fault.context {
            body.target = path
        }
        return json(status: nil, body)
    }

    static let inDoubt = json(
        code: "IN_DOUBT", "it is not known whether the insert was done; look whether the service has the entity"
    )
    static let keyUnknown = json(
        code: "KEY_UNKNOWN", "no load since the key of the set was changed has brought this entity; load all of the set"
    )
    static let duplicate = json(
        code: "DUPLICATE_ID", "another row that was changed locally has the key of this entity")
}
