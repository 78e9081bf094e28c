public import JSONText
import LocalChanges
public import ServiceTransport
import Soups

/// The records of one type on a REST service of the form `/services/data/<version>/sobjects/<type>`.
///
/// Failures are faults: `offline`, `noAnswer`, `unauthorized`, `refused`, `unavailable`, `malformedAnswer`,
/// `limitExceeded`. Reserved members of an answer are left out. A creation is never sent again by itself.
public struct ServiceRemote: Remote {
    private let calls: ServiceCalls
    let objectType: String
    private let version: String
    private let keyField: String

    /// Names a type of a service.
    public init(_ transport: any Transport, objectType: String, version: String = "v66.0", keyField: String = "Id") {
        calls = ServiceCalls(transport: transport)
        self.objectType = objectType
        self.version = version
        self.keyField = keyField
    }

    /// Reads a record; nil for status 404.
    ///
    /// Throws `malformedAnswer` also if the record names another id than the one that was asked for.
    public func read(_ id: String, fields: [String]?) async throws -> JSONObject? {
        var request = try request("GET", id: id)
        if let fields {
            request.query = [Pair("fields", fields.joined(separator: ","))]
        }
        let response = try await calls.send(request)
        if response.status == 404 {
            return nil
        }
        if let fault = ServiceError.fault(response, to: request) {
            throw fault
        }
        var record = try ServiceCalls.object(response, to: request).removing { ReservedField.isReserved($0) }
        guard let named = record[keyField], !named.isNull else {
            record[keyField] = .string(id)
            return record
        }
        guard (named.string ?? named.number?.text).map({ ByteKey($0) }) == ByteKey(id) else {
            throw ServiceError.malformed(request, "the answer names another id than the one that was asked for")
        }
        return record
    }

    /// Creates a record and returns its id.
    ///
    /// Throws `malformedAnswer` if the answer names no id: the record may have been created then.
    public func create(_ fields: JSONObject) async throws -> String {
        switch await creation(of: fields) {
        case .created(let id): return id
        case .failed(let error, _): throw error
        }
    }

    /// Creates a record and says, if that failed, whether the service may have created it nevertheless: not after 429,
    /// nor after 5xx with the service's array of errors.
    func creation(of fields: JSONObject) async -> CreationOutcome {
        var isRefused = false
        do {
            var request = try request("POST", id: nil)
            request.body = JSONValue.object(fields).bytes()
            let response = try await calls.send(request)
            isRefused =
                response.status == 429 || response.status >= 500 && ServiceError.firstError(response.body) != nil
            if let fault = ServiceError.fault(response, to: request) {
                throw fault
            }
            return .created(id: try Self.createdId(response, request))
        } catch {
            return .failed(error, isInDoubt: !isRefused && CreationOutcome.isInDoubt(after: error))
        }
    }

    private static func createdId(_ response: ServiceResponse, _ request: ServiceRequest) throws(Fault) -> String {
        let answer = try ServiceCalls.object(response, to: request, decidedBy: RecordAnswer.deciding)
        if answer["success"]?.bool == false {
            throw request.fault(.refused, "the service did not create the record")
        }
        guard let id = answer["id"]?.string, !id.isEmpty, !LocalId.isLocal(id) else {
            throw ServiceError.malformed(request, "the answer names no id")
        }
        return id
    }

    /// Updates a record.
    ///
    /// Throws `refused` also if there is none.
    public func update(_ id: String, with fields: JSONObject) async throws {
        var request = try request("PATCH", id: id)
        request.body = JSONValue.object(fields).bytes()
        try ServiceCalls.checkSuccess(await calls.succeed(request), to: request)
    }

    /// Deletes a record. Returns false for status 404.
    ///
    /// Throws the faults above.
    @discardableResult
    public func delete(_ id: String) async throws -> Bool {
        let request = try request("DELETE", id: id)
        let response = try await calls.send(request)
        if response.status == 404 {
            return false
        }
        if let fault = ServiceError.fault(response, to: request) {
            throw fault
        }
        try ServiceCalls.checkSuccess(response, to: request)
        return true
    }

    private func request(_ method: String, id: String?) throws(Fault) -> ServiceRequest {
        var path = "/services/data/\(PercentEncoding.encoded(version))/sobjects/" + (try Self.segment(objectType))
        if let id {
            path += "/" + (try Self.segment(id))
        }
        var headers = [Pair("Accept", "application/json")]
        if method == "POST" || method == "PATCH" {
            headers.append(Pair("Content-Type", "application/json"))
        }
        return ServiceRequest(method: method, path: path, headers: headers)
    }

    /// A text as a segment of a path. Proxies take dots for steps, and an empty segment would name what is above.
    private static func segment(_ text: String) throws(Fault) -> String {
        guard !text.isEmpty, text != ".", text != ".." else {
            throw Fault(.invalidArguments, "an id or type must not be empty, . or .., which a path cannot carry")
        }
        return PercentEncoding.encoded(text)
    }
}
