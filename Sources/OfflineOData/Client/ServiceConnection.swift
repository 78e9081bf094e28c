import JSONText
import OData
import ServiceTransport
import Soups

/// Sends requests of one client, and turns unsuccessful answers into faults.
struct ServiceConnection: Sendable {
    let transport: any Transport
    let root: ServiceRoot
    let version: ODataVersion
    let format: ODataChangeRequest.Format
    let answerLimit: Int
    let events: (@Sendable (ODataClientEvent) -> Void)?

    /// Ends a run between two requests, because its task was cancelled: the next request is not sent.
    struct Stopped: Error {}

    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: the fault of a request without an answer; `Stopped` if the task was cancelled before the request was
    ///   sent, `CancellationError` if it was cancelled later.
    func send(_ given: ServiceRequest) async throws -> ServiceResponse {
        if Task.isCancelled {
            throw Stopped()
        }
        var request = given
        request.answerLimit = answerLimit
        let response = try await transport.answer(to: request)
        events?(
            .request(
                method: request.method, path: request.path, status: response.status,
                bytesOut: request.body?.count ?? 0, bytesIn: response.body.count))
        return response
    }

    /// The headers of a request that reads.
    func readHeaders(preferences: [String] = []) -> [Pair] {
        var headers = [Pair("Accept", format.mediaType)]
        headers.append(Pair(version.isV4 ? "OData-MaxVersion" : "MaxDataServiceVersion", version.rawValue))
        if !preferences.isEmpty {
            headers.append(Pair("Prefer", preferences.joined(separator: ", ")))
        }
        return headers
    }

    /// A request that reads what a link leads to.
    func read(_ link: String, preferences: [String] = []) throws(Fault) -> ServiceRequest {
        let target = try root.target(of: link)
        return ServiceRequest(
            method: "GET", path: target.path, encodedQuery: target.query,
            headers: readHeaders(preferences: preferences))
    }

    /// The edit link of a row; nil if the service gave none, or one that leads to another host: that one is not
    /// followed.
    func editLink(of row: JSONObject) -> String? {
        guard let link = row.control["edit"]?.string, (try? root.target(of: link)) != nil else { return nil }
        return link
    }

    /// How the body of an answer is read.
    func payloadOptions(
        _ response: ServiceResponse, to request: ServiceRequest, model: EdmModel?, entityType: String?
    ) -> PayloadOptions {
        let named = response.header("OData-Version") ?? response.header("DataServiceVersion")
        var options = PayloadOptions(
            version: named.flatMap(ODataVersion.init(header:)) ?? version,
            contentType: response.header("Content-Type").map(ContentType.init),
            baseURL: root.url(path: request.path, query: request.encodedQuery), model: model, entityType: entityType)
        options.limits.totalBytes = answerLimit
        options.acceptsUndeclared = true
        options.keepsDigits = true
        return options
    }
}

extension ServiceResponse {
    /// The headers in the form of the OData reader.
    var headerPairs: [(name: String, value: String)] { headers.map { ($0.name, $0.value) } }
}

extension ODataChangeRequest.Format {
    /// The media type that is asked for.
    var mediaType: String {
        switch self {
        case .atom: "application/atom+xml"
        case .verboseJSON: "application/json;odata=verbose"
        case .json: "application/json"
        }
    }
}

/// Turns answers into faults. Their text has method, path, status and the code of the service's error, and nothing of
/// entities, queries and headers.
enum AnswerFault {
    /// The fault of an answer; nil for a status from 200 to 299.
    static func fault(_ response: ServiceResponse, to request: ServiceRequest) -> Fault? {
        request.fault(of: response, errorCode: error(in: response).flatMap { word($0.code) })
    }

    /// The error in the body of an answer.
    static func error(in response: ServiceResponse) -> ODataPayload.ErrorBody? {
        guard response.body.count <= 1 << 20 else { return nil }
        return (try? ODataAnswer(status: response.status, headers: response.headerPairs, body: response.body))?.error
    }

    static func malformed(_ request: ServiceRequest, _ what: String) -> Fault {
        request.fault(.malformedAnswer, what)
    }

    /// The fault of a body that cannot be read, with the request in its text.
    static func reading(_ fault: Fault, _ request: ServiceRequest) -> Fault {
        switch fault.code {
        case .syntax, .invalidJSON, .invalidXML, .doctypeForbidden, .invalidCompression:
            return malformed(request, "the body of the answer is not what was asked for: \(fault.message)")
        default:
            return Fault(
                fault.code, "\(request.method) \(request.path): \(fault.message)", offset: fault.offset,
                context: fault.context)
        }
    }

    /// A code that is a short word; anything else may be a value of an entity.
    private static func word(_ code: String) -> String? {
        let isWord =
            (1...64).contains(code.utf8.count)
            && code.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F || byte == 0x2E
            }
        return isWord ? code : nil
    }
}
