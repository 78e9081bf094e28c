package import Soups

extension Transport {
    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: the fault of a request without an answer, or of an answer that is too long; `CancellationError`.
    package func answer(to request: ServiceRequest) async throws -> ServiceResponse {
        let response: ServiceResponse
        do {
            response = try await send(request)
        } catch let fault as Fault {
            throw fault
        } catch {
            throw TransportFailure(error).fault(of: request) ?? CancellationError()
        }
        try request.check(answerLength: response.body.count)
        return response
    }
}

extension ServiceRequest {
    /// A fault of this request. Its text has the method and the path, and nothing of the query, the headers and the body.
    package func fault(_ code: Fault.Code, _ message: String) -> Fault {
        Fault(code, "\(method) \(path): \(message)")
    }

    /// The fault that an answer means by its status; nil for a status from 200 to 299.
    ///
    /// - Parameter errorCode: The code of the service's error, if it can be shown: a short word, and not a value of a record.
    package func fault(of response: ServiceResponse, errorCode: @autoclosure () -> String?) -> Fault? {
        let code: Fault.Code
        switch response.status {
        case 200...299: return nil
        case 401: code = .unauthorized
        case 429, 500...599: code = .unavailable
        case 400...499: code = .refused
        default: code = .malformedAnswer
        }
        let named = errorCode().map { ", \($0)" } ?? ""
        return fault(code, "the service answered with status \(response.status)\(named)")
    }
}
