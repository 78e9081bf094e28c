import JSONText
import ServiceTransport
import Soups

/// Everything that a mock service knows.
struct MockState: Sendable {
    var tables: MockTables
    var options: MockOptions
    var clock: MockClock
    var cursors = MockCursors()
    var recent = RecentRecords()
    var rules: [ActiveRule] = []
    var log = RequestLog()

    init(_ objects: [MockObject], _ options: MockOptions, _ clock: MockClock) {
        tables = MockTables(objects)
        self.options = options
        self.clock = clock
        log.limit = options.logLimit
    }
}

/// A request with what was read of it: the call, and the refusals that rules order for records of it.
struct MockContext {
    let request: ServiceRequest
    let route: MockRoute
    var refusals: [RecordRefusal] = []

    /// The decoded value of a parameter of the query. Throws 400 without it.
    func parameter(_ name: String) throws(MockError) -> String {
        guard let value = QueryText.value(name, in: request) else {
            throw MockError(400, "MISSING_ARGUMENT", "The parameter '\(name)' is missing or malformed")
        }
        return value
    }

    /// The type in the path.
    var type: String { route.type ?? "" }

    /// The body as an object. Throws 400 for one that is not JSON or not an object.
    func object() throws(MockError) -> JSONObject {
        do {
            if let object = try JSONValue(parsing: request.body ?? []).object {
                return object
            }
        } catch {
            throw .malformed("The body is not JSON: \(error.message) at byte \(error.offset)")
        }
        throw .malformed("The body is not a JSON object")
    }

    func path(of type: String, _ id: String) -> String {
        "/services/data/\(route.version)/sobjects/\(PercentEncoding.encoded(type))/\(PercentEncoding.encoded(id))"
    }

    func attributes(_ type: String, _ id: String) -> JSONValue {
        ["type": .string(type), "url": .string(path(of: type, id))]
    }
}
