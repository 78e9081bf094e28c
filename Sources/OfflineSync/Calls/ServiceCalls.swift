import JSONText
import ServiceTransport
import Soups

/// Sends requests and reads what is common to their answers.
struct ServiceCalls: Sendable {
    let transport: any Transport

    /// The headers of a request without a body.
    static let headers = [Pair("Accept", "application/json")]

    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: the fault of a failure; `CancellationError`.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        try await transport.answer(to: request)
    }

    /// Sends a request whose answer must be a success.
    ///
    /// - Throws: as `send`; the fault of any other status.
    func succeed(_ request: ServiceRequest) async throws -> ServiceResponse {
        let response = try await send(request)
        if let fault = ServiceError.fault(response, to: request) {
            throw fault
        }
        return response
    }

    /// The object in the body of an answer.
    ///
    /// - Parameter refusesDuplicateNames: False for a record, whose caller checks the members that it decides by.
    /// - Throws: `malformedAnswer`; `limitExceeded` if it is nested too deeply.
    static func object(
        _ response: ServiceResponse, to request: ServiceRequest, refusesDuplicateNames: Bool = true
    ) throws(Fault) -> JSONObject {
        do throws(JSONError) {
            let options = JSONOptions(refusesDuplicateNames: refusesDuplicateNames)
            let value = try JSONValue(parsing: response.body, options: options)
            if let object = value.object {
                return object
            }
        } catch  where error.code == .limitExceeded {
            throw request.fault(.limitExceeded, "the answer is nested too deeply")
        } catch {
            throw ServiceError.malformed(request, "the answer is not JSON, cut, or has a member twice")
        }
        throw ServiceError.malformed(request, "the answer is not a JSON object")
    }

    /// The object in the body of an answer, of which some members decide. Others may occur twice.
    ///
    /// - Throws: as `object`; `malformedAnswer` if one of these members occurs twice.
    static func object(
        _ response: ServiceResponse, to request: ServiceRequest, decidedBy names: [String]
    ) throws(Fault) -> JSONObject {
        let object = try object(response, to: request, refusesDuplicateNames: false)
        guard !object.repeats(names) else {
            throw ServiceError.malformed(request, "the answer has a member twice")
        }
        return object
    }

    /// Checks that the answer to a change of one record has no body, or a JSON object. A page of a proxy, or the array
    /// of another call, says nothing about the record.
    ///
    /// - Throws: as `object`. Nothing for a status other than 200 to 299.
    static func checkSuccess(_ response: ServiceResponse, to request: ServiceRequest) throws(Fault) {
        guard (200...299).contains(response.status), response.status != 204, !response.body.isEmpty else { return }
        _ = try object(response, to: request, decidedBy: RecordAnswer.deciding)
    }
}

extension JSONObject {
    /// Whether a member of one of these names occurs twice.
    func repeats(_ names: [String]) -> Bool {
        names.contains { name in
            let name = ByteKey(name)
            return members.count { ByteKey($0.name) == name } > 1
        }
    }
}
