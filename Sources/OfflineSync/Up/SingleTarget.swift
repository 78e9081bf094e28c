import JSONText
import LocalChanges
import ServiceTransport
import Soups

/// Sends each record with a call of its own.
struct SingleTarget: BatchSender {
    var batchSize: Int { 1 }
    var asksSingly: Bool { true }
    var refusesGone: Bool { false }

    func send(_ records: [PendingRecord], _ context: UpContext) async throws -> [RecordResult] {
        var results: [RecordResult] = []
        for record in records {
            results.append(try await send(record, context))
        }
        return results
    }

    private func send(_ record: PendingRecord, _ context: UpContext) async throws -> RecordResult {
        let request = RecordCall(record, context).request
        let response = try await context.send(request)
        let body = try? JSONValue(parsing: response.body)
        if Self.endsRun(response.status, body), let failure = ServiceError.failure(response, to: request) {
            throw failure
        }
        try ServiceCalls.checkSuccess(response, to: request)
        if record.key != nil, (200...299).contains(response.status), RecordAnswer.id(body) == nil,
            response.status != 201
        {
            return try await UpsertedId(context, idField: context.idField).result(record)
        }
        return RecordAnswer.result(record, status: response.status, body: body, text: response.body)
    }

    /// Whether an answer says more about the service than about the record.
    private static func endsRun(_ status: Int, _ body: JSONValue?) -> Bool {
        switch status {
        case 200...300: false
        case 401, 429, 503: true
        case 500...599: RecordAnswer.error(body) == nil
        case 400...499: false
        default: true
        }
    }
}

/// The call of one record: as a request of its own, or as a part of another one.
struct RecordCall {
    let method: String
    let path: String
    /// The JSON text of the body; nil without one.
    let body: [UInt8]?
    private let context: UpContext

    init(_ record: PendingRecord, _ context: UpContext) {
        self.context = context
        switch (record.operation, record.key) {
        case (.create, let key?):
            method = "PATCH"
            path = context.path(record.sentType, key.field, key.text)
        case (.create, nil):
            method = "POST"
            path = context.path(record.sentType)
        case (.update, _):
            method = "PATCH"
            path = context.path(record.sentType, record.id ?? "")
        case (.delete, _):
            method = "DELETE"
            path = context.path(record.sentType, record.id ?? "")
        }
        body = record.operation == .delete ? nil : record.body
    }

    var request: ServiceRequest {
        body.map { context.request(method, path, body: $0) } ?? context.request(method, path)
    }
}
