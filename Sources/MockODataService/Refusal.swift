import JSONText
import ServiceTransport

/// A refusal of the service.
struct Refusal: Error {
    var status: Int
    var code: String
    var message: String
    var target: String?

    init(_ status: Int, _ code: String, _ message: String, target: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.target = target
    }

    static let notFound = Refusal(404, "NotFound", "the resource does not exist")
    static let notAllowed = Refusal(405, "MethodNotAllowed", "the resource does not have this method")
    static func malformed(_ message: String) -> Refusal { Refusal(400, "BadRequest", message) }
    static func unsupported(_ word: String) -> Refusal {
        Refusal(501, "NotImplemented", "the service does not know '\(word)'")
    }
}
