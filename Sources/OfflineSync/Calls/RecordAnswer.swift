import JSONText
import LocalChanges
import ServiceTransport
import Soups

/// Reads what a service says about one record.
enum RecordAnswer {
    /// The most bytes of a body without errors that are kept as a message.
    static let greatestMessage = 4_096

    /// The members by which an answer says what became of a record.
    static let deciding = ["id", "success", "errors"]

    /// The id of a record that was created; nil if the answer names none.
    static func id(_ body: JSONValue?) -> String? {
        guard let id = body?["id"]?.string, !id.isEmpty, !LocalId.isLocal(id) else { return nil }
        return id
    }

    /// The first error of an array of errors, which have codes; nil for a body of another form.
    static func error(_ body: JSONValue?) -> JSONObject? {
        guard let first = body?.array?.first?.object, first["errorCode"]?.string != nil else { return nil }
        return first
    }

    /// The error of a call or a part of one: that of the service, or its body as a message.
    static func error(_ body: JSONValue?, status: Int, text: @autoclosure () -> [UInt8]) -> JSONObject {
        if let error = error(body) {
            return error
        }
        return ["errorCode": .string("HTTP_\(status)"), "message": .string(message(text()))]
    }

    /// What became of a record by the status and the body of its own call or part.
    static func result(_ record: PendingRecord, status: Int, body: JSONValue?, text: [UInt8]) -> RecordResult {
        switch (status, record.operation) {
        case (200...299, .create) where body?.object?.repeats(deciding) ?? false: return .noAnswer
        case (200...299, .create):
            if body?["success"]?.bool == false, let error = body?["errors"]?.array?.first?.object,
                ["errorCode", "statusCode", "message"].contains(where: { error[$0]?.string != nil })
            {
                return refusal(error, status)
            }
            return id(body).map { .created($0) } ?? .noAnswer
        case (200...299, _), (404, .delete): return .done
        case (404, .update): return .gone(error(body, status: status, text: text))
        case (404, .create) where record.isRecreation: return .gone(error(body, status: status, text: text))
        default: return refusal(error(body, status: status, text: text), status)
        }
    }

    /// A refusal. With status 404 the error is about the record itself.
    private static func refusal(_ error: JSONObject, _ status: Int) -> RecordResult {
        var result = RecordResult.refused(error)
        result.isRelatedGone = status != 404 && error["errorCode"]?.string == "ENTITY_IS_DELETED"
        return result
    }

    /// The first bytes of a text, cut at the end of a character.
    private static func message(_ text: [UInt8]) -> String {
        var end = min(text.count, greatestMessage)
        while end < text.count, end > 0, text[end] & 0xC0 == 0x80 {
            end -= 1
        }
        return String(decoding: text[..<end], as: UTF8.self)
    }
}
