import JSONText
import ServiceTransport

/// What a handler answers, before faults change it.
struct CallAnswer {
    var status: Int
    var body: JSONValue?
    var headers: [Pair] = []

    init(_ status: Int = 200, _ body: JSONValue? = nil) {
        self.status = status
        self.body = body
    }

    init(_ error: MockError) { self.init(error.status, error.body) }
}
