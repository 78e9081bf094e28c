import JSONText
import ServiceTransport
import Soups

extension ServiceCalls {
    /// The elements of the array in the body of an answer.
    ///
    /// - Throws: `malformedAnswer`; `limitExceeded` if it is nested too deeply.
    static func array(_ response: ServiceResponse, to request: ServiceRequest) throws(Fault) -> [JSONValue] {
        do throws(JSONError) {
            if let elements = try JSONValue(parsing: response.body).array {
                return elements
            }
        } catch  where error.code == .limitExceeded {
            throw request.fault(.limitExceeded, "the answer is nested too deeply")
        } catch {
            throw ServiceError.malformed(request, "the answer is not JSON, or cut")
        }
        throw ServiceError.malformed(request, "the answer is not a JSON array")
    }
}
