import JSONText
import ServiceTransport
import Soups

/// Asks about one record, just before it is sent, whether the service has a newer one.
struct SingleQuestion {
    private let context: UpContext
    private var part: UpPart { context.part }

    init(_ context: UpContext) { self.context = context }

    func verdict(_ record: PendingRecord) async throws -> FreshnessVerdict {
        guard let row = AskedRow(record, part) else { return .push }
        let answer = try await ask(row, [part.modificationField])
        if case .refused(let status) = answer {
            return row.modified == nil ? .push : .unknown(status: status)
        }
        if let verdict = row.verdict(answer.record, part.modificationField) {
            return verdict
        }
        let change = AppliedChange(record, part)
        guard let names = change.names else { return .leave(.newer) }
        let second = try await ask(row, names)
        if case .refused = second {
            return .leave(.newer)
        }
        return change.verdict(second.record, after: answer.record)
    }

    private enum Answer {
        case record(JSONObject)
        case gone
        case refused(Int)

        var record: JSONObject? {
            if case .record(let record) = self { record } else { nil }
        }
    }

    private func ask(_ row: AskedRow, _ fields: [String]) async throws -> Answer {
        let request = context.request(
            "GET", context.path(row.objectType, row.id.text),
            query: [Pair("fields", fields.joined(separator: ","))])
        let response = try await context.send(request)
        switch response.status {
        case 404: return .gone
        case 401, 429: break
        case 400...499: return .refused(response.status)
        default: break
        }
        if let failure = ServiceError.failure(response, to: request) {
            throw failure
        }
        let record = try ServiceCalls.object(response, to: request, refusesDuplicateNames: false)
        guard !part.isAmbiguous(record, asked: fields) else {
            throw ServiceError.malformed(request, "the record in the answer has a member twice")
        }
        guard row.isNamed(by: record, part.idField) else {
            throw ServiceError.malformed(request, "the answer names another id than the one that was asked for")
        }
        return .record(record)
    }
}

extension AskedRow {
    /// Whether an answer is about this record, as far as it names one.
    func isNamed(by record: JSONObject, _ idField: String) -> Bool {
        guard let named = record[idField], !named.isNull else { return true }
        return (named.string ?? named.number?.text).map { ByteKey($0) } == ByteKey(id.text)
    }
}
