import JSONText
import ServiceTransport

/// Reads and writes batches in JSON.
enum JSONBatchText {
    /// The parts of a request. Throws 400 for a body that is malformed.
    static func parts(_ body: [UInt8]) throws(Refusal) -> [BatchPart] {
        guard let requests = (try? JSONValue(parsing: body))?["requests"]?.array else {
            throw .malformed("the batch has no array 'requests'")
        }
        var parts: [BatchPart] = []
        for request in requests {
            guard let id = request["id"]?.string, let method = request["method"]?.string,
                let url = request["url"]?.string
            else { throw .malformed("a request of the batch lacks id, method or url") }
            var part = BatchPart(method: method.uppercased(), url: url, id: id)
            part.headers = (request["headers"]?.object?.members ?? []).map { Pair($0.name, $0.value.string ?? "") }
            part.body = request["body"].map { $0.string.map { Array($0.utf8) } ?? $0.bytes() } ?? []
            part.group = request["atomicityGroup"]?.string
            part.needs = request["dependsOn"]?.array?.compactMap(\.string) ?? []
            parts.append(part)
        }
        return parts
    }

    static func body(_ results: [BatchResult]) -> [UInt8] {
        let responses = results.map { result -> JSONValue in
            var object = JSONObject()
            object["id"] = (result.isOfGroup ? result.part.group : result.part.id).map(JSONValue.string)
            object["atomicityGroup"] = result.isOfGroup ? nil : result.part.group.map(JSONValue.string)
            object["status"] = .number(JSONNumber(Int64(result.reply.status)))
            object["headers"] = .object(
                JSONObject(result.reply.headers.map { ($0.name.lowercased(), .string($0.value)) }))
            if !result.reply.body.isEmpty {
                object["body"] =
                    (try? JSONValue(parsing: result.reply.body))
                    ?? .string(String(decoding: result.reply.body, as: UTF8.self))
            }
            return .object(object)
        }
        return JSONValue.object(JSONObject([("responses", .array(responses))])).bytes()
    }
}
