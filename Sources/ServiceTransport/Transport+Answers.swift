package import Soups

extension Transport {
    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: the fault of a request without an answer, or of an answer that is too long or came in part only;
    ///   `CancellationError`.
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
        guard !response.isCut(answering: request) else {
            throw request.fault(
                .noAnswer, "the answer is shorter than it announced; the service may have done what was asked")
        }
        return response
    }
}

extension ServiceResponse {
    /// Whether the body is shorter than its header `Content-Length` says: the connection was lost on the way.
    ///
    /// The length counts encoded bytes, and the body has none: with an encoding the length is not checked. Nor is it
    /// where an answer has no body by its nature, whose length is that of another answer.
    fileprivate func isCut(answering request: ServiceRequest) -> Bool {
        guard let text = header("Content-Length"), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text), length > body.count
        else { return false }
        let isEncoded = header("Content-Encoding") != nil || header("Transfer-Encoding") != nil
        let hasNoBody = request.method == "HEAD" || [204, 304].contains(status) || status < 200
        return !isEncoded && !hasNoBody
    }
}

extension ServiceRequest {
    /// A fault of this request. Its text has the method and the path, and nothing of the query, the headers and the
    /// body.
    package func fault(_ code: Fault.Code, _ message: String) -> Fault {
        Fault(code, "\(method) \(path): \(message)")
    }

    /// The fault that an answer means by its status; nil for a status from 200 to 299.
    ///
    /// - Parameter errorCode: The code of the service's error, if it can be shown: a short word, and not a value of a
    ///   record.
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
