import JSONText
import ServiceTransport

/// Call 12: several calls in one, the later ones with values of the earlier ones.
extension MockState {
    private static let mostParts = 25

    /// One part of a composite request.
    private struct Part {
        let method: String
        let url: String
        let reference: String
        let body: JSONValue?
    }

    mutating func composite(_ context: MockContext) throws(MockError) -> CallAnswer {
        let body = try context.object()
        let parts = try Self.parts(body)
        let isAll = body["allOrNone"]?.bool == true
        let before = isAll ? tables : nil
        var answered: [String: JSONValue] = [:]
        var answers: [(part: Part, answer: CallAnswer)] = []
        for (index, part) in parts.enumerated() {
            let answer: CallAnswer
            do throws(MockError) {
                answer = try self.answer(part, answered, (index, parts.count), context)
            } catch {
                answer = CallAnswer(error)
            }
            if answer.status < 300 {
                answered[part.reference] = answer.body ?? .null
            }
            answers.append((part, answer))
        }
        if let before, answers.contains(where: { $0.answer.status >= 300 }) {
            tables = before
            let undone = MockError(
                400, "PROCESSING_HALTED", "The transaction was rolled back since another part failed")
            answers = answers.map { $0.answer.status >= 300 ? $0 : ($0.part, CallAnswer(undone)) }
        }
        let elements = answers.map { part, answer in
            JSONValue.object([
                "body": answer.body ?? .null,
                "httpHeaders": .object(JSONObject(answer.headers.map { ($0.name, .string($0.value)) })),
                "httpStatusCode": .number(.init(Int64(answer.status))), "referenceId": .string(part.reference),
            ])
        }
        return CallAnswer(200, ["compositeResponse": .array(elements)])
    }

    private mutating func answer(
        _ part: Part, _ answered: [String: JSONValue], _ position: (index: Int, count: Int), _ context: MockContext
    ) throws(MockError) -> CallAnswer {
        let references = CompositeReferences(answered)
        let url = try references.resolved(part.url)
        let target = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let body = try part.body.map { (body) throws(MockError) in try references.resolved(body) }
        let request = ServiceRequest(
            method: part.method, path: target[0], encodedQuery: target.count > 1 ? target[1] : nil, body: body?.bytes())
        let route = try MockRoute(method: part.method, path: target[0])
        let operations: [MockCall] = [.create, .retrieve, .update, .upsert, .delete]
        guard operations.contains(route.call) else {
            throw MockError(400, "INVALID_INPUT", "The url \(part.url) cannot be part of a composite request")
        }
        try refuse(context, at: position.index, of: position.count, id: route.key, .init(route.call))
        return try handle(MockContext(request: request, route: route))
    }

    private static func parts(_ body: JSONObject) throws(MockError) -> [Part] {
        guard let elements = body["compositeRequest"]?.array else {
            throw .malformed("The body needs 'compositeRequest', an array of objects")
        }
        guard elements.count <= mostParts else {
            throw MockError(
                400, "LIMIT_EXCEEDED", "The request has \(elements.count) parts; at most \(mostParts) are allowed")
        }
        var seen: Set<String> = []
        return try elements.map { (element) throws(MockError) in
            guard let method = element["method"]?.string, let url = element["url"]?.string,
                let reference = element["referenceId"]?.string
            else {
                throw .malformed("A part of the request needs 'method', 'url' and 'referenceId'")
            }
            guard CompositeReferences.isName(reference), seen.insert(reference).inserted else {
                throw MockError(
                    400, "INVALID_INPUT",
                    "The reference id '\(reference)' is given twice, or has other characters than letters, digits and _"
                )
            }
            return Part(method: method, url: url, reference: reference, body: element["body"])
        }
    }
}
