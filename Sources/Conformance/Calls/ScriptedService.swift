import Foundation
import JSONText
import OfflineSync
import ServiceTransport
import Soups
import Synchronization

/// The service of a case: it gives the answers of `sync.answers`, one for each request, and notes the requests.
final class ScriptedService: Transport {
    private struct State {
        var answers: [JSONObject] = []
        var requests: [ServiceRequest] = []
    }

    private let state = Mutex(State())
    /// Makes the calls of an answer's `meanwhile`, while the request is under way.
    private let makeCalls: @Sendable ([JSONValue]) throws(Fault) -> Void

    init(makeCalls: @escaping @Sendable ([JSONValue]) throws(Fault) -> Void) { self.makeCalls = makeCalls }

    /// Appends answers and returns how many wait.
    func append(_ answers: [JSONObject]) -> Int {
        state.withLock { state in
            state.answers += answers
            return state.answers.count
        }
    }

    /// Returns the requests since it was last called.
    func takeRequests() -> [ServiceRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let answer = state.withLock { state -> JSONObject? in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else {
            throw TransportFailure.noAnswer("no answer is waiting")
        }
        try makeCalls(answer["meanwhile"]?.array ?? [])
        switch answer["fault"]?.string {
        case nil: return try Self.response(answer)
        case "notSent": throw TransportFailure.notSent("the script says so")
        case "sessionEnded": throw TransportFailure.sessionEnded
        default: throw TransportFailure.noAnswer("the script says so")
        }
    }

    private static func response(_ answer: JSONObject) throws(Fault) -> ServiceResponse {
        var body: [UInt8] = []
        if let value = answer["body"] {
            body = value.bytes()
        } else if let text = answer["text"]?.string {
            body = Array(text.utf8)
        } else if let base64 = answer["base64"]?.string {
            guard let data = Data(base64Encoded: base64) else {
                throw CallArguments.wrong("answers", "has a body that is not base64")
            }
            body = [UInt8](data)
        }
        let headers = (answer["headers"]?.object?.members ?? []).map { Pair($0.name, $0.value.string ?? "") }
        return ServiceResponse(status: Int(answer["status"]?.int64 ?? 200), headers: headers, body: body)
    }
}

extension ServiceRequest {
    /// The request in the form of the contract.
    var json: JSONValue {
        [
            "method": .string(method), "path": .string(path),
            "query": .object(JSONObject(query.map { ($0.name, .string($0.value)) })),
            "headers": .object(JSONObject(headers.map { ($0.name.lowercased(), .string($0.value)) })),
            "body": body.flatMap { try? JSONValue(parsing: $0) } ?? .null,
        ]
    }
}
