import JSONText
import ServiceTransport
import Soups

/// Asks about the records of one type with one call, whether the service has newer ones.
struct PageQuestion {
    private let context: UpContext
    private let part: UpPart

    init(_ context: UpContext, _ part: UpPart) {
        self.context = context
        self.part = part
    }

    /// The records of the service, one for each row; nil for one that is gone.
    func dates(_ rows: [AskedRow]) async throws -> [JSONObject?] {
        let request = request(rows, [part.modificationField])
        return try records(try await context.succeed(request), request, rows, [part.modificationField])
    }

    /// The records of the service with the fields of a change; nil if the service refused to say.
    func fields(_ rows: [AskedRow], _ names: [String]) async throws -> [JSONObject?]? {
        let request = request(rows, names)
        let response = try await context.send(request)
        if (400...499).contains(response.status), response.status != 401, response.status != 429 {
            return nil
        }
        if let failure = ServiceError.failure(response, to: request) {
            throw failure
        }
        return try records(response, request, rows, names)
    }

    private func request(_ rows: [AskedRow], _ fields: [String]) -> ServiceRequest {
        var body = Array(#"{"ids":["#.utf8)
        for (number, row) in rows.enumerated() {
            if number > 0 {
                body.append(UInt8(ascii: ","))
            }
            body += row.idText
        }
        body += #"],"fields":"#.utf8
        body += JSONValue.array(fields.map(JSONValue.string)).bytes()
        body.append(UInt8(ascii: "}"))
        let type = PercentEncoding.encoded(rows.first?.objectType ?? "")
        return context.request("POST", context.basePath + "/composite/sobjects/" + type, body: body)
    }

    private func records(
        _ response: ServiceResponse, _ request: ServiceRequest, _ rows: [AskedRow], _ fields: [String]
    ) throws(Fault) -> [JSONObject?] {
        let elements = try ServiceCalls.array(response, to: request)
        guard elements.count == rows.count else {
            throw ServiceError.malformed(request, "the answer has not one element for each id")
        }
        var records: [JSONObject?] = []
        for (row, element) in zip(rows, elements) {
            guard element.isNull || element.object.map({ row.isNamed(by: $0, part.idField) }) == true else {
                throw ServiceError.malformed(request, "the answer has another record than the one that was asked for")
            }
            guard element.object.map({ part.isAmbiguous($0, asked: fields) }) != true else {
                throw ServiceError.malformed(request, "a record in the answer has a member twice")
            }
            records.append(element.object)
        }
        return records
    }
}
