import JSONText
import OData
import Soups

/// The error of a service as rows and outcomes keep it.
enum ServiceRefusal {
    private static let messageLimit = 4_096

    /// The error of an answer.
    static func json(status: Int?, _ body: ODataPayload.ErrorBody?) -> JSONObject {
        JSONObject([
            ("status", status.map { .number(JSONNumber(Int64($0))) } ?? .null), ("code", .string(body?.code ?? "")),
            ("message", .string(cut(body?.message ?? ""))), ("target", body?.target.map(JSONValue.string) ?? .null),
            (
                "details",
                .array(
                    (body?.details ?? []).map { detail in
                        .object(
                            JSONObject([
                                ("code", .string(detail.code)), ("message", .string(cut(detail.message))),
                                ("target", detail.target.map(JSONValue.string) ?? .null),
                            ]))
                    })
            ),
        ])
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
    static let duplicate = json(
        code: "DUPLICATE_ID", "another row that was changed locally has the key of this entity")

    /// A text cut at the end of a character.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > messageLimit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: messageLimit)
        while end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }
}
