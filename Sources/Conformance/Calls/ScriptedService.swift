import JSONText
import OfflineSync
import ServiceTransport
import Soups
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The service of a case: it gives the answers of `sync.answers`, one for each request, and notes the requests.
final class ScriptedService: Transport {
    private struct State {
        var answers: [JSONObject] = []
        var requests: [ServiceRequest] = []
        var wasKilled = false
    }

    private let state = Mutex(State())
    /// Makes the calls of an answer's `meanwhile`, while the request is under way.
    private let makeCalls: @Sendable ([JSONValue]) throws(Fault) -> Void
    /// Closes the store of the run, as the end of its process does.
    private let kill: @Sendable () -> Void

    init(
        makeCalls: @escaping @Sendable ([JSONValue]) throws(Fault) -> Void, kill: @escaping @Sendable () -> Void
    ) {
        self.makeCalls = makeCalls
        self.kill = kill
    }

    /// Appends answers and returns how many wait.
    func append(_ answers: [JSONObject]) -> Int {
        state.withLock { state in
            state.answers += answers
            return state.answers.count
        }
    }

    /// The number of requests so far.
    var requestCount: Int { state.withLock { $0.requests.count } }

    /// The requests from a number on. A call that is made while another one waits for its answer has its own.
    func requests(from number: Int) -> [ServiceRequest] { state.withLock { Array($0.requests.dropFirst(number)) } }

    /// Returns whether an answer has killed the run since this was last called.
    func takeKill() -> Bool {
        state.withLock { state in
            defer { state.wasKilled = false }
            return state.wasKilled
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
        if answer["kill"]?.bool == true {
            state.withLock { $0.wasKilled = true }
            kill()
            throw TransportFailure.noAnswer("the process was killed")
        }
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
            "query": encodedQuery.map(Self.decoded) ?? .object(JSONObject(query.map { ($0.name, .string($0.value)) })),
            "headers": .object(JSONObject(headers.map { ($0.name.lowercased(), .string($0.value)) })),
            "body": body.flatMap { try? JSONValue(parsing: $0) } ?? .null,
        ]
    }

    /// The names and values of an encoded query.
    private static func decoded(_ query: String) -> JSONValue {
        let pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.utf8.percentDecoded() ?? String($0) }
            return (parts.first ?? "", JSONValue.string(parts.count > 1 ? parts[1] : ""))
        }
        return .object(JSONObject(pairs))
    }
}
