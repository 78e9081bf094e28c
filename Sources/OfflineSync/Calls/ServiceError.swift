import JSONText
import ServiceTransport
import Soups

/// Turns unsuccessful answers into faults. Their text has method, path, status and the error code of the service,
/// and nothing of records, queries and headers.
enum ServiceError {
    /// The fault of an answer; nil for a status from 200 to 299.
    static func fault(_ response: ServiceResponse, to request: ServiceRequest) -> Fault? {
        request.fault(of: response, errorCode: errorCode(response.body))
    }

    /// The failure of an answer, with the message of the service; nil for a success.
    ///
    /// - Parameter isNextPage: Whether the request followed a link, which may have expired.
    static func failure(
        _ response: ServiceResponse, to request: ServiceRequest, isNextPage: Bool = false
    ) -> FailedCall? {
        guard var fault = fault(response, to: request) else { return nil }
        let isUnknownLink =
            response.status == 404 || response.status == 400 && errorCode(response.body) == "INVALID_QUERY_LOCATOR"
        if isNextPage, isUnknownLink {
            fault = Fault(.cursorExpired, fault.message)
        }
        let error = firstError(response.body)
        let isRefusal = (400..<500).contains(response.status) || response.status >= 500 && error != nil
        return FailedCall(fault: fault, message: error?["message"]?.string, isRefusal: isRefusal)
    }

    /// The first error in an array of errors; nil for a body of another form.
    static func firstError(_ body: [UInt8]) -> JSONObject? {
        guard body.count <= 1 << 20 else { return nil }
        return RecordAnswer.error(try? JSONValue(parsing: body))
    }

    /// The fault of an answer of another form than the request calls for.
    static func malformed(_ request: ServiceRequest, _ what: String) -> Fault {
        request.fault(.malformedAnswer, what)
    }

    /// The code of the first error in an array of errors. Anything but a short word of capitals, digits and `_` may be
    /// a value of a record, and is left out.
    private static func errorCode(_ body: [UInt8]) -> String? {
        firstError(body).flatMap(shortCode)
    }

    /// The code of an error, if it is a short word.
    static func shortCode(_ error: JSONObject) -> String? {
        guard let code = (error["errorCode"] ?? error["statusCode"])?.string, (1...64).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else { return nil }
        return code
    }
}
